import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with the given files, removed after the test. Objects are written as JSON. */
export function madeHome(files: Record<string, string | object> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pollux-made-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

/** A small JSONL session. */
export function madeSession(id: string, more: Record<string, unknown> = {}): string {
  const at = "2026-05-04T10:00:00.000Z";
  const header = { sessionId: id, projectHash: "p", startTime: at, lastUpdated: at, ...more };
  const prompt = { id: `${id}-u`, timestamp: at, type: "user", content: [{ text: "Hello" }] };
  return `${JSON.stringify(header)}\n${JSON.stringify(prompt)}\n`;
}
