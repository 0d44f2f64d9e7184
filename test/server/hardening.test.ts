import { connect } from "node:net";
import type { Socket } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import type { RequestHandlerOptions } from "../../src/server/handle-request.ts";
import { RequestHandler } from "../../src/server/handle-request.ts";
import type { RunningServer } from "../../src/server/serve.ts";
import { serve } from "../../src/server/serve.ts";

/** A server with a library that has no sessions. */
function start(password: string): Promise<RunningServer> {
  const archive = { watched: () => [] };
  const library = { archive, close: async () => undefined } as unknown as Library;
  return serve({
    open: async () => library,
    now: () => 0,
    host: "127.0.0.1",
    port: 0,
    password,
    webFolder: join(import.meta.dirname, "../../web"),
    version: "0",
  });
}

function open(port: number, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text);
      resolve(socket);
    });
    // The server closing the connection is what is tested.
    socket.on("error", () => undefined);
  });
}

/** The text received until the headers are complete or the other side closes. */
function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      if (text.includes("\r\n\r\n")) resolve(text);
    });
    socket.on("close", () => resolve(text));
  });
}

const PASSWORD = "correct horse battery";
let server: RunningServer;
beforeAll(async () => {
  server = await start(PASSWORD);
});
afterAll(() => server.stop());

describe("a server under attack", () => {
  test("serves a browser while a thousand half-open requests are held", async () => {
    const held: Socket[] = [];
    for (let count = 0; count < 1000; count += 1) {
      held.push(await open(server.port, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "));
    }
    for (let page = 0; page < 20; page += 1) {
      const response = await fetch(`http://127.0.0.1:${server.port}/`);
      expect(response.status).toBeLessThan(500);
      await response.arrayBuffer();
    }
    for (const socket of held) socket.destroy();
  });

  test("closes the connection after an invalid request", async () => {
    const socket = await open(server.port, "\u0000garbage\r\n\r\n");
    const closed = new Promise((resolve) => socket.on("close", resolve));
    expect(await answerOf(socket)).toContain("400 Bad Request");
    await closed;
  });

  test("refuses a request with two Host headers", async () => {
    const { port } = server;
    const hosts = `Host: 127.0.0.1:${port}\r\nHost: evil.invalid\r\n`;
    const socket = await open(port, `GET / HTTP/1.1\r\n${hosts}\r\n`);
    expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 400/);
    socket.destroy();
  });

  test("counts password guesses on arrival: of fifty slow concurrent ones, ten are checked", async () => {
    const { port } = server;
    const head =
      `POST /api/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
      "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\n";
    const sockets = await Promise.all(Array.from({ length: 50 }, () => open(port, `${head}gu`)));
    const answers = sockets.map((socket) => answerOf(socket));
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const socket of sockets) socket.write("ess");
    const statuses = (await Promise.all(answers)).map((answer) => answer.slice(9, 12));
    expect(statuses.filter((status) => status === "401")).toHaveLength(10);
    expect(statuses.filter((status) => status === "429")).toHaveLength(40);
    for (const socket of sockets) socket.destroy();
  });

  test("does not report an error when the client hangs up", async () => {
    const reported: unknown[] = [];
    const admits = { refuse: () => undefined, refuseForeign: () => undefined };
    const guard = { ...admits, admitGuess: () => ({ wasRight: () => undefined }) };
    const handler = new RequestHandler({
      guard,
      login: { guard, token: "t", password: PASSWORD },
      now: () => 0,
      version: "0",
      report: (error: unknown) => reported.push(error),
    } as unknown as RequestHandlerOptions);
    const hungUp = (error: Error): Promise<void> => {
      const request = Object.assign(new PassThrough(), { method: "POST", url: "/api/login" });
      const response = { destroyed: true, destroy: () => undefined };
      request.write("gu");
      const received = handler.receive(request as never, response as never);
      request.destroy(error);
      return received;
    };
    await hungUp(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
    expect(reported).toEqual([]);
    await hungUp(new Error("ours"));
    expect(reported).toHaveLength(1);
  });
});
