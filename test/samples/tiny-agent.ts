import { originalPath } from "../../src/core/files/session-file.ts";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Counts } from "../../src/core/usage/counts.ts";
import type { RecordedMessage } from "../../src/core/session/message.ts";
import { emptyMessage } from "../../src/core/session/message.ts";
import { optional } from "../../src/core/optional.ts";
import type { SessionContent } from "../../src/core/session/session.ts";
import { emptySession } from "../../src/core/session/session.ts";
import { rootsIn } from "../../src/sources/requested-roots.ts";
import { asName, asObject, asTime, isCount } from "../../src/sources/decoding/fields.ts";
import { readJsonLines } from "../../src/sources/decoding/json-lines.ts";
import { tableOf } from "../../src/sources/decoding/tool-families.ts";
import { fileRef } from "../../src/sources/file-ref.ts";
import { FolderWalk } from "../../src/sources/folder-walk.ts";
import type { DecodedFile, Environment, Root, Source } from "../../src/sources/source.ts";

/**
 * A fictional agent with the smallest possible source: this file contains everything needed to add
 * an agent. Its sessions are `talks/<id>.jsonl` in `$TINY_HOME` or `~/.tiny`:
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
  tools: tableOf({}),
  roots: rootsOf,
  find(root, report) {
    const walk = new FolderWalk(root.path, report);
    const folder = "talks";
    for (const { name } of walk.list(join(root.path, folder), "ignore")) {
      if (!name.endsWith(".jsonl")) continue;
      walk.add(join(root.path, folder, name), "main", { folder, isCleaned: false });
    }
    return { files: walk.files, folders: [folder] };
  },
  keysOf: (file) => [idOf(file)],
  read(_file, bytes, { report }) {
    const messages: RecordedMessage[] = [];
    readJsonLines(bytes, GRAMMAR, {
      report,
      record(value, place) {
        const said = asObject(value) ?? {};
        const isPrompt = said["who"] === "me";
        const text = asName(said["says"]) ?? "";
        messages.push({
          ...emptyMessage(isPrompt ? "user" : "model"),
          id: `${place.line}`,
          text,
          ...(isPrompt ? { typed: text } : {}),
          isPrompt,
          at: asTime(said["at"]),
          usage: countsOf(said),
          place,
        });
      },
    });
    return { format: "talk", generation: "1", content: messages };
  },
  interpret: (files) => files.map(sessionOf),
  emptyContent: [],
  watched: ({ path }) => [join(path, "talks")],
  abilities: {},
};

/** Finds whole records in a damaged line. */
const GRAMMAR = {
  opening: /\{\s*"who"\s*:/g,
  isRecord: (value: unknown) => asName(asObject(value)?.["who"]) !== undefined,
};

function countsOf({ asked: input, said: output }: Record<string, unknown>): Counts | undefined {
  if (!isCount(input) || !isCount(output)) return undefined;
  const nesting = { shape: "cache-inside-input", reasoning: "inside-output" } as const;
  return { ...nesting, input, output, total: input + output };
}

function rootsOf(environment: Environment): Root[] {
  const isHome = (path: string): boolean => existsSync(join(path, "talks"));
  return rootsIn(environment, { name: ".tiny", isHome }, ({ env, homeDir }) => {
    return [{ path: env["TINY_HOME"] ?? join(homeDir, ".tiny"), because: "the home folder" }];
  });
}

/** If the content of a file was replaced, the old content has a path made by Pollux. */
function idOf(file: DecodedFile["file"]): string {
  return basename(originalPath(file), ".jsonl");
}

function sessionOf(decoded: DecodedFile<RecordedMessage[]>): SessionContent {
  const { file, content } = decoded;
  const id = idOf(file);
  const times = content.flatMap(({ at }) => at ?? []);
  return {
    ...emptySession(id, { name: "talks", knownBy: "folder-name" }),
    ...optional("startedAt", times[0]),
    ...optional("updatedAt", times.at(-1)),
    messages: content.map((said) => ({ ...said, standing: "live", places: [said.place] })),
    replies: content.flatMap(({ id: messageId, at, usage: counts, place }) => {
      if (!counts) return [];
      const paid = { id: `${id}:${messageId}`, messageId, at, model: "tiny-1", counts, place };
      return [{ ...paid, standing: "live" as const }];
    }),
    files: [fileRef(decoded, "whole")],
  };
}
