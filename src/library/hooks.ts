import { existsSync, renameSync, statSync, writeFileSync } from "node:fs";
import { NotAFileError, readForeignText } from "../kernel/open-file.ts";
import type { HookOutcome } from "../sources/abilities.ts";
import type { Place } from "./places.ts";

/** What became, or would become, of a hook. */
export interface HookAnswer {
  source: string;
  /** When it is run. */
  about: string;
  file: string;
  state: "planned" | "written" | "there" | "refused";
  why: string | null;
  /** What belongs into the file. */
  snippet: string;
}

/** Looks at the settings of every place; writes only when told so, and never over anything. */
export function hookAnswers(
  places: readonly Place[],
  command: string,
  mode: "plan" | "write",
): HookAnswer[] {
  // Where none is there yet, it is told what will belong into them.
  const there = places.filter(({ root }) => root.isFound);
  return (there.length > 0 ? there : places).flatMap(({ source, root }): HookAnswer[] => {
    const { hook } = source.abilities;
    if (!hook) return [];
    const file = hook.file(root.path);
    const { about } = hook;
    const base = { source: source.id, about, file, snippet: hook.snippet(command) };
    const outcome = hookIn(file, (text) => hook.install(text, command));
    if (outcome.kind === "there") return [{ ...base, state: "there", why: null }];
    if (outcome.kind === "refused") return [{ ...base, state: "refused", why: outcome.why }];
    if (mode === "plan") return [{ ...base, state: "planned", why: null }];
    if (!root.isFound) return [{ ...base, state: "refused", why: "its folder is not there yet" }];
    replace(file, outcome.text);
    return [{ ...base, state: "written", why: null }];
  });
}

/** What is no file is nobody's settings, and is not written over. */
function hookIn(file: string, install: (text: string | undefined) => HookOutcome): HookOutcome {
  try {
    return install(existsSync(file) ? readForeignText(file) : undefined);
  } catch (error) {
    if (!(error instanceof NotAFileError)) throw error;
    return { kind: "refused", why: "it is no regular file" };
  }
}

/** Whole or not at all: a half-written file of settings would stop the program. */
function replace(file: string, text: string): void {
  const aside = `${file}.tmp-${process.pid}`;
  const mode = existsSync(file) ? statSync(file).mode : 0o600;
  writeFileSync(aside, text, { mode });
  renameSync(aside, file);
}
