import { openSync } from "node:fs";
import process from "node:process";
import { ReadStream } from "node:tty";
import { ProcessTerminal, type Terminal } from "@earendil-works/pi-tui";
import { keysDevice } from "./keys_device.ts";
import { HANG_UP } from "../transcript/restore.ts";

/** The process's own terminal, also where it belongs to another user. */
export function processTerminal(): Terminal {
  const device = keysDevice();
  if (device !== undefined && device !== "stdin") {
    const keys = new ReadStream(openSync(device, "r+"));
    Object.defineProperty(process, "stdin", { value: keys, configurable: true });
  }
  process.stdout.on("error", hangUp);
  process.stdin.on("error", hangUp).on("end", hangUp);
  return new ProcessTerminal();
}

/** Whoever guards the terminal hears that it is gone; the kernel tells only who leads its session. */
function hangUp(): void {
  globalThis.dispatchEvent(new Event(HANG_UP));
}
