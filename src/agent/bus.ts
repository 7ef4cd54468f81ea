/** Fan-out of events by lane. */
import type { AgentEvent } from "../base/types.ts";

export interface Fan {
  emit(lane: string, event: AgentEvent): void;
  subscribe(listener: (event: AgentEvent) => void, lane?: string): () => void;
}

/** A listener that throws is reported to `onError` and does not keep the others from hearing. */
export function createFan(onError: (error: unknown) => void): Fan {
  const listeners = new Set<{ hear: (event: AgentEvent) => void; lane: string | undefined }>();
  return {
    emit(lane, event) {
      for (const listener of [...listeners]) {
        if (listener.lane !== undefined && listener.lane !== lane) continue;
        try {
          listener.hear(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(hear, lane) {
      const listener = { hear, lane };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
