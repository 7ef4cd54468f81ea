/** What the demo model does for each request. */
import { say } from "../../base/text.ts";
import { create, remove, replace, run } from "./changing.ts";
import { countFiles, countLines, countTests, countText } from "./counting.ts";
import { about, find, list, read } from "./looking.ts";
import { mendTests, runTests } from "./mend.ts";
import { planned } from "./planned.ts";
import { parseRequest } from "./requests.ts";
import type { Script, Setting } from "./script.ts";

/** The script for one request in plain words; a step of a plan is no plan itself. */
export function scriptFor(text: string, has: Setting["has"], inPlan = false): Script {
  const request = parseRequest(text);
  const { lang } = request;
  const setting: Setting = { lang, has };
  const setup = say(lang, "demo.setup");
  switch (request.kind) {
    case "help":
      return answer(true, say(lang, "demo.help", { setup }));
    case "about":
      return about(setting);
    case "list":
      return list(setting, request);
    case "read":
      return read(setting, request);
    case "find":
      return find(setting, request);
    case "count_files":
      return countFiles(setting, request);
    case "count_lines":
      return countLines(setting, request);
    case "count_text":
      return countText(setting, request);
    case "count_tests":
      return countTests(setting);
    case "replace":
      return replace(setting, request);
    case "create":
      return create(setting, request);
    case "delete":
      return remove(setting, request);
    case "run":
      return run(setting, request);
    case "test":
      return runTests(lang);
    case "mend":
      return mendTests(lang);
    case "plan":
      if (!inPlan) return planned(setting, request.steps, (step) => scriptFor(step, has, true));
      return answer(false, say(lang, "demo.unknown", { setup }));
    case "unknown":
      return answer(false, say(lang, "demo.unknown", { setup }));
  }
}

// deno-lint-ignore require-yield -- an answer that needs no tool
function* answer(ok: boolean, text: string): Script {
  return { ok, text };
}
