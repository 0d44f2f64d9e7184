import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { World } from "../../src/cli/main.ts";
import { main } from "../../src/cli/main.ts";
import { optional } from "../../src/core/optional.ts";

export interface Run {
  code: number;
  out: string;
  err: string;
}

export interface RunOptions extends Partial<Pick<World, "env" | "now" | "commands">> {
  isTerminal?: boolean;
  /** Undefined for a pipe. */
  columns?: number | undefined;
}

/** The default time of all runs. */
export const NOW: Date = new Date("2026-11-15T12:00:00Z");

/** Runs the program in the test process and collects its output. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { isTerminal = false, env = {}, now = NOW, columns: _columns, ...more } = options;
  const columns = "columns" in options ? options.columns : 80;
  let out = "";
  let err = "";
  const stream = (write: (text: string) => void): World["stdout"] => ({
    write: (text) => {
      write(text);
      return true;
    },
    once: () => undefined,
    isTTY: isTerminal,
    ...optional("columns", columns),
  });
  const code = await main(args, {
    stdout: stream((text) => void (out += text)),
    stderr: stream((text) => void (err += text)),
    env,
    now,
    ...more,
  });
  return { code, out, err };
}

/** Creates a root folder with the given files, by relative path. */
export function makeRoot(files: Readonly<Record<string, string>>): string {
  const root = join(mkdtempSync(join(tmpdir(), "pollux-root-")), ".gemini");
  mkdirSync(join(root, "tmp"), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

export function lines(...records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
