import { request } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import type { RunningServer, ServeOptions } from "../../src/server/serve.ts";
import { serve } from "../../src/server/serve.ts";
import { homeWith } from "../samples/home.ts";
import { TOUR_HOME } from "../samples/tour.ts";

export const NOW: number = Date.UTC(2026, 10, 15, 9, 0, 0);
export const webFolder: string = join(import.meta.dirname, "..", "..", "dist", "web");

export function openHome(folder: string): Library {
  const environment = { homeDir: "/home/ada", env: { POLLUX_HOME: join(folder, "pollux") } };
  return open({ roots: [join(folder, ".gemini")], environment });
}

/** Starts a server that stops when the test ends. */
export async function started(
  folder: string,
  more: Partial<ServeOptions> = {},
): Promise<RunningServer & { token: string }> {
  const running = await serve({
    open: async () => openHome(folder),
    now: () => NOW,
    host: "127.0.0.1",
    port: 0,
    webFolder,
    version: "0.0.0",
    ...more,
  });
  onTestFinished(() => running.stop());
  return { ...running, token: running.url.split("#token=")[1] ?? "" };
}

export interface TestResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: () => unknown;
}

export interface TestRequest {
  port: number;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request with exactly these headers; nothing is added, escaped or normalised. */
export function ask({
  port,
  path,
  method = "GET",
  headers = {},
  body,
}: TestRequest): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const json = (): unknown => JSON.parse(text);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A server on the tour session. */
export async function tour(): Promise<{
  folder: string;
  port: number;
  token: string;
  get: (path: string, more?: Partial<TestRequest>) => Promise<TestResponse>;
}> {
  const { folder } = homeWith(TOUR_HOME);
  const { port, token } = await started(folder);
  const headers = { authorization: `Bearer ${token}` };
  return { folder, port, token, get: (path, more) => ask({ port, path, headers, ...more }) };
}
