import type { IncomingMessage, ServerResponse } from "node:http";
import { errorReply, send, sendEvents } from "./reply.ts";

/** Often enough that proxies do not close the connection. */
const HEARTBEAT_MS = 20_000;
const MOST_LISTENERS = 32;
/** A client that does not read its events is disconnected. */
const MOST_WAITING_BYTES = 1 << 20;

/** Notifies pages of changes (server-sent events). */
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

  /** Stops the heartbeat when there are no listeners. */
  #rest(): void {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }
}

function eventText(name: string, value: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
}
