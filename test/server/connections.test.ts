import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { limitIdleConnections } from "../../src/server/connections.ts";

/** More than the buffers of both ends hold. */
const LARGE = Buffer.alloc(32 << 20);
const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function started(answer: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(answer);
  limitIdleConnections(server, { stalledMs: 100 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/** Sends text and reads nothing. */
function unread(port: number, text: string): Socket {
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  socket.on("error", () => undefined);
  socket.pause();
  onTestFinished(() => void socket.destroy());
  return socket;
}

describe("a connection", () => {
  test.each([1, 5])("is closed when none of its %i responses is read", async (requests) => {
    const { server, port } = await started((_request, response) => response.end(LARGE));
    const arrived = once(server, "connection");
    unread(port, REQUEST.repeat(requests));
    const [socket] = (await arrived) as [Socket];
    await expect.poll(() => socket.destroyed, { timeout: 10_000 }).toBe(true);
  });

  test("stays open while its response is made, and while a stream has no events", async () => {
    const { server, port } = await started((_request, response) => {
      server.once("timeout", () => {
        response.write("first");
        server.once("timeout", () => response.end("last"));
      });
    });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(await response.text()).toBe("firstlast");
  });
});
