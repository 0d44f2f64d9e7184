import { existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { PolluxError } from "../core/error.ts";
import { NotAFileError, readForeignText } from "../kernel/open-file.ts";
import type { SettingsEntries, SettingsEntry } from "../sources/settings-entry.ts";
import type { SourceRoot } from "./places.ts";

/** Result, or plan, of changing Pollux's entry in an agent's settings. */
export interface SettingsAnswer {
  source: string;
  /** What the entry does: a phrase that follows "It". */
  about: string;
  file: string;
  state: "planned" | "written" | "same" | "refused";
  why: string | null;
  /** The text to add to the file. */
  snippet: string;
}

export interface SettingsRequest<Value> {
  value: Value;
  action: "add" | "remove";
  mode: "plan" | "write";
  homeDir: string;
}

/** Names of the entries. */
export type EntryName = keyof SettingsEntries;

/** Adds or removes an entry for each agent found on this machine; if none is found, for all. */
export async function settingsAnswers<Name extends EntryName>(
  places: readonly SourceRoot[],
  name: Name,
  request: SettingsRequest<EntryValue<Name>>,
): Promise<SettingsAnswer[]> {
  const there = places.filter(({ root }) => root.isFound);
  const answers: SettingsAnswer[] = [];
  for (const place of there.length > 0 ? there : places) {
    const entries = await place.source.abilities.settingsEntries?.();
    const entry = entries?.[name] as SettingsEntry<EntryValue<Name>> | undefined;
    if (entry) answers.push(settingsAnswer(place, entry, request));
  }
  return answers;
}

type EntryValue<Name extends EntryName> =
  NonNullable<SettingsEntries[Name]> extends SettingsEntry<infer Value> ? Value : never;

/** Checks one settings file; in mode `write`, writes it and changes nothing but the entry. */
function settingsAnswer<Value>(
  { source, root }: SourceRoot,
  entry: SettingsEntry<Value>,
  request: SettingsRequest<Value>,
): SettingsAnswer {
  const file = entry.file(root.path, request.homeDir);
  const { about } = entry;
  const base = { source: source.id, about, file, snippet: entry.snippet(request.value) };
  const text = textOf(file);
  if (text === undefined) return { ...base, state: "refused", why: "it is not a regular file" };
  const outcome = entry[request.action](text, request.value);
  if (outcome.kind === "same") return { ...base, state: "same", why: null };
  if (outcome.kind === "refused") return { ...base, state: "refused", why: outcome.why };
  if (request.mode === "plan") return { ...base, state: "planned", why: null };
  if (!existsSync(dirname(file))) {
    return { ...base, state: "refused", why: "its folder does not exist yet" };
  }
  if (textOf(file) !== text) throw changedMeanwhile(file);
  // A file that was created for the entry is removed with it.
  if (outcome.text === "") rmSync(file);
  else replace(file, outcome.text);
  return { ...base, state: "written", why: null };
}

/** Empty if there is no file; undefined if the path is not a regular file. */
function textOf(file: string): string | undefined {
  try {
    return existsSync(file) ? readForeignText(file) : "";
  } catch (error) {
    if (error instanceof NotAFileError) return undefined;
    throw error;
  }
}

function changedMeanwhile(file: string): PolluxError {
  return new PolluxError(
    "settings-changed",
    `${file} was changed by another program at the same time.`,
    {
      remedy: "Nothing was written. Try again when the agent is not running.",
    },
  );
}

/** Replaces the file atomically: a half-written settings file would break the agent. */
function replace(file: string, text: string): void {
  const aside = `${file}.tmp-${process.pid}`;
  const mode = existsSync(file) ? statSync(file).mode : 0o600;
  writeFileSync(aside, text, { mode });
  renameSync(aside, file);
}
