import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { RecordedMessage } from "../../src/core/message.ts";
import type { Session } from "../../src/core/session.ts";
import { asName, asObject, asTime, isCount } from "../../src/sources/decoding/fields.ts";
import { readJsonLines } from "../../src/sources/decoding/json-lines.ts";
import type { DecodedFile, Environment, Root, Source } from "../../src/sources/source.ts";

/**
 * An agent that nobody uses, as small as a source can be: everything that it takes to add one is in
 * this file. Its sessions are `talks/<id>.jsonl` in `$TINY_HOME` or `~/.tiny`:
 *
 *     {"who": "me", "says": "hi", "at": "2026-05-04T10:00:00.000Z"}
 *     {"who": "tiny", "says": "hello", "at": "2026-05-04T10:00:01.000Z", "asked": 12, "said": 3}
 */
export const tinyAgent: Source<RecordedMessage[]> = {
  id: "tiny-agent",
  name: "Tiny Agent",
  aliases: ["tiny"],
  ledgerName: "tiny",
  blindSpots: { unrecorded: "Nothing.", losses: [] },
  formats: ["talk"],
  tools: { find: () => undefined },
  roots: rootsOf,
  find(root) {
    const folder = join(root.path, "talks");
    const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    const files = names.map((name) => {
      const path = join(folder, name);
      const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
      const where = { root: root.path, folder: "talks", role: "main" } as const;
      return { path, ...where, sizeBytes, modifiedMs, isCleaned: false };
    });
    return { files, folders: ["talks"] };
  },
  keysOf: ({ path }) => [basename(path, ".jsonl")],
  read(_file, bytes, { report }) {
    const messages: RecordedMessage[] = [];
    readJsonLines(bytes, GRAMMAR, {
      report,
      record(value, place) {
        const said = asObject(value) ?? {};
        const author = said["who"] === "me" ? "user" : "model";
        const text = asName(said["says"]) ?? "";
        messages.push({ ...EMPTY, id: `${place.line}`, author, text, place, ...about(said) });
      },
    });
    return { format: "talk", generation: "1", content: messages };
  },
  interpret: (files) => files.map(sessionOf),
  nothing: [],
  watched: ({ path }) => [join(path, "talks")],
  abilities: {},
};

const GRAMMAR = {
  opening: /\{\s*"who"\s*:/g,
  isRecord: (value: unknown) => asName(asObject(value)?.["who"]) !== undefined,
};

const EMPTY = {
  isPrompt: false,
  references: [],
  injections: [],
  thoughts: [],
  toolCalls: [],
  results: [],
  attachments: [],
  hasRecordedCalls: false,
  form: "text",
  signature: "",
  partSignatures: [],
} satisfies Partial<RecordedMessage>;

function about(said: Record<string, unknown>): Partial<RecordedMessage> {
  const { asked: input, said: output } = said;
  const nesting = { shape: "cache-inside-input", reasoning: "inside-output" } as const;
  const isCounted = isCount(input) && isCount(output);
  return {
    at: asTime(said["at"]),
    isPrompt: said["who"] === "me",
    ...(isCounted ? { usage: { ...nesting, input, output, total: input + output } } : {}),
  };
}

function rootsOf({ env, homeDir, askedRoots }: Environment): Root[] {
  const asked = askedRoots.map((path) => ({ path, because: "--root" }));
  const usual = { path: env["TINY_HOME"] ?? join(homeDir, ".tiny"), because: "the home folder" };
  return (askedRoots.length > 0 ? asked : [usual])
    .map((root) => ({ ...root, isFound: isHome(root.path) }))
    .filter(({ isFound }) => isFound || askedRoots.length === 0);
}

function isHome(path: string): boolean {
  return statSync(join(path, "talks"), { throwIfNoEntry: false })?.isDirectory() === true;
}

function sessionOf({ file, format, generation, content }: DecodedFile<RecordedMessage[]>): Session {
  const id = basename(file.path, ".jsonl");
  const times = content.flatMap(({ at }) => at ?? []);
  const { path, root, role, sizeBytes, modifiedMs, isCleaned } = file;
  const ref = { path, root, role, format, generation, sizeBytes, modifiedMs, isCleaned };
  return {
    id,
    source: "tiny-agent",
    ledgerName: "tiny",
    kind: "main",
    project: { name: "talks", knownBy: "folder-name" },
    ...(times[0] === undefined ? {} : { startedAt: times[0] }),
    ...(times[0] === undefined ? {} : { updatedAt: times.at(-1) ?? times[0] }),
    directories: [],
    messages: content.map((said) => ({ ...said, standing: "live", places: [said.place] })),
    replies: content.flatMap(({ id: messageId, at, usage, place }) => {
      if (!usage) return [];
      const own = { id: `${id}:${messageId}`, messageId, model: "tiny-1" };
      return [{ ...own, at, counts: usage, standing: "live" as const, place }];
    }),
    compressions: [],
    isImport: false,
    files: [{ ...ref, part: "whole" }],
    diagnostics: [],
  };
}
