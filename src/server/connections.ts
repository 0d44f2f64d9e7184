import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Connections that have asked nothing yet, or wait for their next question. */
const MOST_WAITING = 200;

/**
 * Keeps slots free for those who ask. A connection that asks nothing costs nothing but its slot;
 * when there are too many of them, the one that has waited longest is closed. So nobody can keep
 * others out by holding half-open requests.
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
    // Whoever sends garbage may never close its end: the slot is freed as soon as it was answered.
    if (!socket.writable) return void socket.destroy();
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", () => socket.destroy());
  });
}
