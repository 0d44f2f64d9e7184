import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Limit for connections without an active request. */
const MOST_WAITING = 200;
/** Time in which a client must take at least some bytes of a response. */
const STALLED_MS = 30_000;

/**
 * Keeps connection slots free for active requests. An idle connection costs only its slot; if there
 * are too many, the one that has been idle longest is closed. A connection whose client stops
 * reading its response is closed, too. So nobody can block others with half-open requests or unread
 * responses.
 */
export function limitIdleConnections(
  server: Server,
  { stalledMs = STALLED_MS }: { stalledMs?: number } = {},
): void {
  const waiting = new Set<Socket>();
  const wait = (socket: Socket): void => {
    waiting.delete(socket);
    if (socket.destroyed) return;
    waiting.add(socket);
    if (waiting.size <= MOST_WAITING) return;
    const [longest] = waiting;
    longest?.destroy();
    if (longest) waiting.delete(longest);
  };
  server.on("connection", (socket: Socket) => {
    wait(socket);
    socket.once("close", () => waiting.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    waiting.delete(socket);
    response.once("close", () => wait(socket));
  });
  // Node restarts this timer whenever bytes arrive or leave. Without unsent bytes the answer is
  // still being made, or it is a stream of events with nothing to report.
  server.setTimeout(stalledMs, (socket: Socket) => {
    if (waiting.has(socket) || socket.writableLength > 0) socket.destroy();
  });
  server.on("clientError", (_error: Error, socket: Socket) => {
    // The client may never close its end after a bad request, so close the socket after replying.
    if (!socket.writable) socket.destroy();
    else
      socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", () => socket.destroy());
  });
}
