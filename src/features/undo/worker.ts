import { errorMessage } from "../../base/errors.ts";
import type { Progress } from "./scan.ts";
import { NothingToDo } from "./types.ts";
import { openService, type Service, type ServiceOptions, type ServiceState } from "./service.ts";

/** What a worker is asked, one at a time. */
export type Request =
  | {
    readonly id: number;
    readonly open: ServiceOptions;
    readonly state: ServiceState | undefined;
  }
  | { readonly id: number; readonly call: keyof Service; readonly args: readonly unknown[] };

/** From a worker: that it is up, how far it is, or what came of it. */
export type Reply =
  | { readonly ready: true }
  | { readonly id: number; readonly files: number }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly nothing: NothingToDo["why"] }
  | { readonly id: number; readonly failed: string };

interface Port {
  onmessage: (event: MessageEvent<Request>) => void;
  postMessage(reply: Reply): void;
}

/** Turns this thread into the one that keeps checkpoints. */
export function start(): void {
  const port = globalThis as unknown as Port;
  let service: Service | undefined;
  port.onmessage = ({ data }) => {
    const { id } = data;
    try {
      if ("open" in data) {
        service = openService(data.open, data.state);
        return port.postMessage({ id, value: undefined });
      }
      const progress: Progress = (files) => port.postMessage({ id, files });
      // the others have arguments that may be left out
      const args = data.call === "begin" ? [...data.args, progress] : data.args;
      const call = service![data.call] as (...args: unknown[]) => unknown;
      port.postMessage({ id, value: call(...args) });
    } catch (error) {
      if (error instanceof NothingToDo) return port.postMessage({ id, nothing: error.why });
      port.postMessage({ id, failed: errorMessage(error) });
    }
  };
  port.postMessage({ ready: true });
}
