import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A root of Claude Code with one transcript. */
export function claudeRoot(
  text: string | Buffer,
  id = "5e551001-0000-4000-8000-000000000001",
): string {
  return rootWith(".claude", join("projects", "-srv-ledger", `${id}.jsonl`), text);
}

/** A root of Codex with one rollout. */
export function codexRoot(text: string | Buffer, name: string = CODEX_FILE): string {
  return rootWith(".codex", join("sessions", "2026", "01", "01", name), text);
}

export const CODEX_ID = "5e551002-0000-7000-8000-000000000002";
const CODEX_FILE = `rollout-2026-01-01T00-00-00-${CODEX_ID}.jsonl`;

export function rootWith(folder: string, path: string, text: string | Buffer): string {
  const root = join(mkdtempSync(join(tmpdir(), "pollux-record-")), folder);
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return root;
}

export function jsonLines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
