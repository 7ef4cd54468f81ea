import { mainJob } from "../support/main_job.ts";
import { SOURCE } from "../support/narnat.ts";

Deno.test("narnat finds, fixes and verifies a bug over chat completions", async () => {
  await mainJob(SOURCE, "openai");
});

Deno.test("narnat finds, fixes and verifies a bug over the Messages protocol", async () => {
  await mainJob(SOURCE, "messages");
});
