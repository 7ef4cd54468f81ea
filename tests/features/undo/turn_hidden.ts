/** A turn that bars a folder, undone and redone; prints what came of it. For who may not look into barred folders. */
import { bash, keep } from "./checkpoints.ts";

const root = Deno.args[0]!;
const kept = keep(root);
await kept.turn(() => {});
const paths = await kept.turn(() => bash(root, Deno.args[1]!));
const [undone, redone] = [kept.take({ what: "undo" }), kept.take({ what: "redo" })];
kept.take({ what: "undo" });
console.log(JSON.stringify({ paths, failed: [...undone.failed, ...redone.failed] }));
kept.close();
