import { mainJob } from "./main_job.ts";
import { SOURCE } from "../support/narnat.ts";
import { slow } from "../support/soak.ts";

slow("narnat finds, fixes and verifies a bug over chat completions", async () => {
  await mainJob(SOURCE, "openai");
});

slow("narnat finds, fixes and verifies a bug over the Messages protocol", async () => {
  await mainJob(SOURCE, "messages");
});
