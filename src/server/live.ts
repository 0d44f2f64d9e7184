import type { IncomingMessage, ServerResponse } from "node:http";
import { errorReply, send, sendEvents } from "./reply.ts";

/** Often enough that nothing between here and the page takes the line for dead. */
const HEARTBEAT_MS = 20_000;
const MOST_LISTENERS = 32;
/** A page that does not take what it is sent is let go. */
const MOST_WAITING_BYTES = 1 << 20;

/** Everybody who is notified when something changes (server-sent events). */
export class Live {
  readonly #listeners = new Set<ServerResponse>();
  #heartbeat: NodeJS.Timeout | undefined;

  add(request: IncomingMessage, response: ServerResponse, generation: number): void {
    if (this.#listeners.size >= MOST_LISTENERS) {
      const message = "Too many pages are listening.";
      send(request, response, errorReply(429, { code: "too-many-listeners", message }));
      return;
    }
    sendEvents(response);
    response.write(eventText("hello", { generation }));
    this.#listeners.add(response);
    response.on("close", () => this.#remove(response));
    this.#heartbeat ??= setInterval(() => this.#write(": still here\n\n"), HEARTBEAT_MS);
  }

  tell(name: "moved" | "changed", value: object): void {
    this.#write(eventText(name, value));
  }

  close(): void {
    for (const listener of this.#listeners) listener.end(eventText("bye", {}));
    this.#listeners.clear();
    this.#rest();
  }

  #write(text: string): void {
    for (const listener of this.#listeners) {
      if (listener.writableLength > MOST_WAITING_BYTES) listener.destroy();
      else listener.write(text);
    }
  }

  #remove(listener: ServerResponse): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) this.#rest();
  }

  /** Nobody listens: nothing ticks. */
  #rest(): void {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}

function eventText(name: string, value: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
}
