import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionFilter } from "../../src/core/filter/filter.ts";
import type { Library } from "../../src/library/library.ts";
import { Library as Questions } from "../../src/library/library.ts";
import { AnnotationEditor } from "../../src/library/annotations.ts";
import { Review } from "../../src/library/review.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const ZONE = "Europe/Berlin";

type Ask = (library: Library, ids: readonly string[]) => Promise<unknown>;

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function eachOf(
  ids: readonly string[],
  ask: (id: string) => Promise<unknown>,
): Promise<unknown> {
  const answers: unknown[] = [];
  for (const id of ids) answers.push(await ask(id));
  return answers;
}

/** Returns all hits without their rank, in a fixed order: engines rank differently. */
async function found(library: Library, text: string, filter: SessionFilter = {}): Promise<unknown> {
  const answer = await library.search(text, { filter: { ...filter, limit: 1000 } });
  const unranked = (item: object): string => JSON.stringify({ ...item, rank: 0 });
  return Object.entries(answer).map(([name, value]) => {
    return [name, Array.isArray(value) ? value.map(unranked).toSorted() : value];
  });
}

/** A file on the disk for `blame`; its lines may match edits of sessions. */
function someFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), "blamed-")), "index.ts");
  writeFileSync(file, "export const a = 1;\nimport x from 'y';\n}\n");
  return file;
}
const blamed = someFile();

/** Every query that changes nothing, by its name. */
export const QUERIES: Readonly<Record<string, Ask>> = {
  sessions: async (library) => [
    await library.sessions(),
    await library.sessions({ source: "claude", limit: 3 }),
    await library.sessions({ tag: "later" }),
    await library.sessions({ star: "starred" }),
    await library.sessions({ tool: "shell", outcome: "error" }),
  ],
  agents: (library) => library.agents(),
  session: (library, ids) => eachOf(ids, (id) => library.session(id)),
  conversation: (library, [id = ""]) => library.conversation(id),
  recorded: async (library, [id = ""]) => (await library.recorded(id)).session,
  transcript: (library, ids) => eachOf(ids, (id) => library.transcript(id)),
  chains: (library) => library.chains(),
  search: async (library) => [
    await found(library, "certificates"),
    await found(library, "test", { source: "codex" }),
    await found(library, '"in the" -file'),
  ],
  usage: async (library) => [
    await library.usage({ timezone: ZONE }),
    await library.usage({ by: ["month", "model"], timezone: ZONE }),
    await library.usage({ by: ["project", "session"], subagents: "rolled-up", timezone: ZONE }),
    await library.usage({ by: ["agent", "tool"], timezone: ZONE, tag: "later" }),
  ],
  calls: (library) => all(library.calls()),
  tools: async (library) => [await library.tools(), await library.tools({ source: "gemini" })],
  explain: (library, ids) => eachOf(ids, (id) => library.explain(id, ZONE)),
  overview: async (library) => {
    // Risks of deletion depend on the disk and on the location of the store.
    const {
      archive: _place,
      deletion: _soon,
      ...overview
    } = (await library.overview(NOW, ZONE)) as unknown as Record<string, unknown>;
    return overview;
  },
  events: (library, ids) => eachOf(ids, (id) => all(library.events(id))),
  export: async (library, ids) => {
    const request = { to: "markdown", layout: "each", masking: "masked", nowMs: NOW } as const;
    const files: unknown[] = [];
    for await (const { name, chunks } of library.export({ ids }, request)) {
      files.push([name, (await all(chunks)).map(String).join("")]);
    }
    return files;
  },
  secrets: (library) => library.secrets(),
  versions: (library, ids) => eachOf(ids, async (id) => (await library.versions(id)).length),
  select: (library) => library.select({ project: "a" }),
  "review.page": (library) => library.review.page({}, { order: "cost", limit: 5 }),
  "review.everySession": async (library) => {
    const { sessions, ...rest } = await library.review.everySession({});
    return { ...rest, sessions: await all(sessions) };
  },
  "review.stretch": (library) => library.review.stretch({}, { offset: 2, limit: 4 }),
  "review.ids": (library) => library.review.ids([""]),
  "review.uses": async (library) => [
    await library.review.uses({ tool: "shell" }, { limit: 20 }),
    await library.review.uses({ outcome: "error" }, { limit: 20 }),
  ],
  "review.blame": async (library) => {
    const { files } = await library.tools();
    return eachOf(
      files.slice(0, 5).map(({ path }) => path),
      (recordedAs) => library.review.blame(blamed, { recordedAs, allow: "named" }),
    );
  },
  "review.insights": (library) => library.review.insights({}),
  "review.compare": async (library, [first = "", second = ""]) => [
    await library.review.compare({ what: "sessions", names: [first, second], filter: {} }),
    await library.review.compare({ what: "periods", names: ["2026-05", "2026-06"], filter: {} }),
  ],
  "review.budget": (library) =>
    library.review.budget({ budgetMicroUsd: 1e6, nowMs: NOW, filter: {}, timezone: ZONE }),
  "review.costs": async (library) =>
    [...(await library.review.costs())].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  "own.list": (library) => library.own.list(),
};

/** Methods that change something, or concern the disk, the store itself or a program. */
const OTHERS = [
  "doctor",
  "unkeptAtRisk",
  "keep",
  "record",
  "restore",
  "resumeCommand",
  "handover",
  "undoHandover",
  "release",
  "close",
  "own.change",
];

/** Methods of the library that are in neither list. */
export function uncoveredQueries(): string[] {
  const named = (prefix: string, of: { prototype: object }): string[] => {
    const names = Object.getOwnPropertyNames(of.prototype).filter((name) => name !== "constructor");
    return names.map((name) => `${prefix}${name}`);
  };
  const known = new Set([...Object.keys(QUERIES), ...OTHERS]);
  const there = [
    ...named("", Questions),
    ...named("review.", Review),
    ...named("own.", AnnotationEditor),
  ];
  return there.filter((name) => !known.has(name));
}
