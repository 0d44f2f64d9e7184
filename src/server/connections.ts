import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Limit for connections without an active request. */
const MOST_WAITING = 200;

/**
 * Keeps connection slots free for active requests. An idle connection costs only its slot; if there
 * are too many, the one that has been idle longest is closed. So nobody can block others with
 * half-open requests.
 */
export function freeSlots(server: Server): void {
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
  server.on("clientError", (_error: Error, socket: Socket) => {
    // The client may never close its end after a bad request, so close the socket after replying.
    if (!socket.writable) return void socket.destroy();
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", () => socket.destroy());
  });
}
