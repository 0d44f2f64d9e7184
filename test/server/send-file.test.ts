import { once } from "node:events";
import { createServer, get } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { sendFile } from "../../src/server/reply.ts";

/** Requests a file of these chunks; `failed` receives the error of sending, if any. */
async function ask(
  chunks: AsyncIterable<string>,
  failed: (error: unknown) => void = () => undefined,
): Promise<IncomingMessage> {
  const server = createServer((request, response) => {
    sendFile(request, response, { name: "a.txt", mediaType: "text/plain", chunks }).catch(
      (error: unknown) => {
        failed(error);
        response.destroy();
      },
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const request = get({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response.setEncoding("utf8");
}

test("the first chunk arrives before the next one is made", async () => {
  const { promise: isSeen, resolve: seen } = deferred();
  const response = await ask(
    (async function* () {
      yield "first ";
      await isSeen;
      yield "second";
    })(),
  );
  expect(response.headers["content-disposition"]).toBe('attachment; filename="a.txt"');
  const pieces = response[Symbol.asyncIterator]();
  expect(await pieces.next()).toMatchObject({ value: "first " });
  seen(undefined);
  expect(await pieces.next()).toMatchObject({ value: "second" });
  expect(await pieces.next()).toMatchObject({ done: true });
});

test("an error while sending resets the connection and is reported", async () => {
  let actual: unknown;
  const response = await ask(
    (async function* () {
      yield "first ";
      throw new Error("broken");
    })(),
    (error) => (actual = error),
  );
  const error = once(response, "error");
  response.resume();
  await expect(error).resolves.toMatchObject([{ code: "ECONNRESET" }]);
  expect(actual).toMatchObject({ message: "broken" });
});

function deferred(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}
