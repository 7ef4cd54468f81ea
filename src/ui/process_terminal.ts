import { openSync } from "node:fs";
import process from "node:process";
import { ReadStream } from "node:tty";
import { ProcessTerminal, type Terminal } from "@earendil-works/pi-tui";
import { keysDevice } from "./keys_device.ts";

/** The process's own terminal, also where it belongs to another user. */
export function processTerminal(): Terminal {
  const device = keysDevice();
  if (device !== undefined && device !== "stdin") {
    const keys = new ReadStream(openSync(device, "r+"));
    Object.defineProperty(process, "stdin", { value: keys, configurable: true });
  }
  return new ProcessTerminal();
}
