import { translator } from "../../src/base/t.ts";

/** Says Chinese. */
export const chinese = translator("zh");
