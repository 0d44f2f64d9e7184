import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PolluxError } from "../core/error.ts";
import type { Answer } from "./answer.ts";
import { ownAnswer } from "./answer.ts";
import type { Comparison } from "./compare.ts";
import { compareAnswers } from "./compare.ts";
import type { Case } from "./kit.ts";
import { copyHome } from "./kit.ts";

/** The result of a case. */
export interface CaseResult extends Comparison {
  id: string;
  about: string;
  /** Why there is no answer. */
  error: string | null;
}

/** Answers for a home; `variables` name other folders that the agent wrote to. */
export type Reader = (
  home: string,
  variables: Readonly<Record<string, string>>,
) => Promise<Answer> | Answer;

export const pollux: Reader = ownAnswer;

/** Copies the home of a case, runs the reader on it, and compares. */
export async function runCase(tested: Case, reader: Reader): Promise<CaseResult> {
  const { id, about, expected, environment } = tested;
  const home = realpathSync(mkdtempSync(join(tmpdir(), "pollux-conformance-")));
  try {
    copyHome(tested, home);
    const variables = Object.entries(environment).map(([name, at]) => [name, join(home, at)]);
    const answer = await reader(home, Object.fromEntries(variables) as Record<string, string>);
    return { id, about, ...compareAnswers(expected, answer), error: null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, about, wrong: [], unanswered: [], error: message };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const MOST_BYTES = 1 << 28;

/** Runs another program: `{tree}` in its command line is the home, which is also `HOME`. */
export function commandReader(command: string, env: Readonly<NodeJS.ProcessEnv>): Reader {
  return (home, variables) => {
    const line = command.includes("{tree}")
      ? command.replaceAll("{tree}", quoted(home))
      : `${command} ${quoted(home)}`;
    const run = spawnSync(line, {
      shell: true,
      encoding: "utf8",
      maxBuffer: MOST_BYTES,
      env: { ...env, HOME: home, USERPROFILE: home, ...variables },
    });
    if (run.status !== 0) {
      const reason = run.stderr.trim().split("\n").at(-1) ?? "";
      throw new PolluxError(
        "reader-failed",
        `The reader exited with ${run.status ?? run.signal ?? "nothing"}. ${reason}`,
      );
    }
    return parsed(run.stdout);
  };
}

/** Quotes a path for the shell that runs the reader. */
export function quoted(path: string, platform: NodeJS.Platform = process.platform): string {
  return platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

function parsed(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    const begin = text.slice(0, 60).trim();
    throw new PolluxError("reader-failed", `The reader's output is not JSON: ${begin}`);
  }
}
