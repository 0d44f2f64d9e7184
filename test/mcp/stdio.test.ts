// @module-tag slow
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { askJson } from "./client.ts";

const program = join(import.meta.dirname, "../../dist/pollux.js");

test("the built program serves the agent that starts it, and exits with it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pollux-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "app", ".git"), { recursive: true });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", "--demo"],
    cwd: join(folder, "app"),
    env: { HOME: folder, POLLUX_HOME: folder, PATH: process.env["PATH"] ?? "" },
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  expect(client.getServerVersion()).toMatchObject({ name: "pollux" });
  const { total } = await askJson<{ total: number }>(client, "sessions");
  expect(total).toBeGreaterThan(5);
  const { hits } = await askJson<{ hits: unknown[] }>(client, "search", { query: "test*" });
  expect(hits.length).toBeGreaterThan(0);
  const { pid } = transport;
  await client.close();
  expect(() => process.kill(pid ?? 0, 0)).toThrow(/ESRCH/);
});

test("an empty input ends the server without a failure", () => {
  // Nothing to read is a device, which ends but is never closed.
  const run = spawnSync(process.execPath, [program, "mcp", "--demo"], { stdio: "ignore" });
  expect(run.status).toBe(0);
});
