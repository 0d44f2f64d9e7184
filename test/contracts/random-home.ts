import type { AnnotationChange } from "../../src/core/session/annotation.ts";
import { ANNOTATION_KINDS } from "../../src/core/session/annotation.ts";
import type { Standing } from "../../src/core/session/message.ts";
import type { SessionRows } from "../../src/core/rows/session-rows.ts";
import type { TextPiece } from "../../src/core/session/text.ts";
import { TEXT_ROLES } from "../../src/core/session/text.ts";
import type { ToolFact } from "../../src/core/rows/tool-fact.ts";
import type { UsageFact } from "../../src/core/usage/usage-fact.ts";
import type { SessionTexts } from "../../src/store/store.ts";
import { fact, ROOT, sessionRows, sessionWork } from "./store-samples.ts";

export const OTHER_ROOT = "/mnt/old/.agent";

/** A seeded pseudo-random number generator. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns an integer from 0 to limit - 1. */
  roll(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.roll(items.length)] as T;
  }

  chance(percent: number): boolean {
    return this.roll(100) < percent;
  }

  some<T>(most: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.roll(most + 1) }, (_, index) => make(index));
  }
}

const SOURCES = ["agent", "other-agent"];
const MODELS = ["small", "sma\0ll", "Large-2", "models/large-2", undefined];
const STANDINGS: readonly Standing[] = ["live", "live", "rewound", "rewritten"];
const PROJECTS = [
  { name: "ledger", path: "/home/ada/ledger", hash: null, knownBy: "recorded" },
  { name: "Ledger", path: "/home/ada/ledger", hash: "abc", knownBy: "hash" },
  { name: "100%_Übung", path: "C:\\work\\shop", hash: null, knownBy: "marker" },
  { name: "abc", path: null, hash: "abcdef", knownBy: "hash" },
  { name: "nul", path: "/home/ada/nul\0l", hash: null, knownBy: "marker" },
  { name: "lone", path: null, hash: null, knownBy: "folder-name" },
] as const;
const START = Date.UTC(2026, 2, 1);
const MINUTE = 60_000;

/** Rows of random sessions that share replies, start subagents and touch files. */
export function randomRows(dice: Dice): SessionRows[] {
  const ids = Array.from({ length: 2 + dice.roll(7) }, (_, number) => `s${number}`);
  return ids.flatMap((id) => {
    const sources = dice.chance(20) ? SOURCES : [dice.pick(SOURCES)];
    return sources.map((source) => randomSession(dice, { id, source, ids }));
  });
}

/** Returns a random session; each call gives another one with the same id. */
export function randomSession(
  dice: Dice,
  { id, source, ids }: { id: string; source: string; ids: readonly string[] },
): SessionRows {
  const root = dice.chance(30) ? OTHER_ROOT : ROOT;
  const usage = dice.some(6, () => randomFact(dice, { id, source, root }));
  const tools = dice.some(5, (index) => randomCall(dice, id, index));
  const project = dice.pick(PROJECTS);
  const parentId = dice.chance(25) ? dice.pick(ids) : null;
  const startedAt = randomTime(dice) ?? null;
  const sample = sessionRows(id, { source, root, usage, tools });
  const started = startedAt === null ? {} : { startedAt };
  return {
    ...sample,
    agentCalls: dice.some(2, (call) => ({ agentId: dice.pick(ids), callId: `call-${call}` })),
    summary: {
      ...sample.summary,
      project,
      parentId,
      parentCallId: parentId !== null && dice.chance(50) ? "call-x" : null,
      kind: dice.pick(["main", "subagent"]),
      title: dice.chance(20)
        ? null
        : dice.pick(["Fix", "fix", "Änderung", "add tests", "add\0tests"]),
      startedAt,
      updatedAt: dice.chance(20) ? null : (randomTime(dice) ?? null),
      status: dice.pick(["success", "failure", "empty"]),
      prompts: dice.roll(4),
      isImport: dice.chance(15),
    },
    session: {
      ...withoutTimes(sample.session),
      ...started,
      files: randomFiles(dice, sample.session.files),
      project: { ...project, path: project.path ?? "", hash: project.hash ?? "" },
      ...(parentId === null ? {} : { parentId }),
      ...(dice.chance(20) ? { origins: [{ sessionId: dice.pick(ids), how: "fork" }] } : {}),
      ...(dice.chance(20) ? { unrecorded: [UNRECORDED] } : {}),
    },
  };
}

/** The first file, sometimes with more files in either root; some of them are gone. */
function randomFiles(
  dice: Dice,
  [first]: SessionRows["session"]["files"],
): SessionRows["session"]["files"] {
  if (!first) return [];
  return Array.from({ length: dice.chance(60) ? 1 : 1 + dice.roll(3) }, (_, number) => {
    const root = number === 0 ? first.root : dice.pick([ROOT, OTHER_ROOT]);
    const lastAt = dice.chance(70) ? randomTime(dice) : undefined;
    return {
      ...first,
      ...(number === 0 ? {} : { root, path: `${root}/more-${number}.jsonl` }),
      part: dice.pick(["whole", "whole", "copy", "stub"]),
      isCleaned: dice.chance(80),
      modifiedMs: START + dice.roll(3 * 24 * 60) * MINUTE + 0.25,
      ...(lastAt === undefined ? {} : { lastAt }),
      ...(dice.chance(20) ? { goneSinceMs: START } : {}),
    };
  });
}

const UNRECORDED: NonNullable<SessionRows["session"]["unrecorded"]>[number] = {
  model: "small",
  from: "totals",
  requests: 3,
  counts: { shape: "cache-inside-input", reasoning: "beside-output", input: 5 },
  costUsd: null,
};

function withoutTimes(session: SessionRows["session"]): SessionRows["session"] {
  const { startedAt: _start, updatedAt: _last, ...rest } = session;
  return rest;
}

/** Mostly a time within three days, sometimes none or an invalid one. */
function randomTime(dice: Dice): string | undefined {
  if (dice.chance(10)) return undefined;
  if (dice.chance(4)) return "yesterday";
  if (dice.chance(4)) return "1969-12-31T23:52:00.000Z";
  if (dice.chance(10)) return "2026-03-01T12:00:00+02:00";
  return new Date(START + dice.roll(3 * 24 * 60) * MINUTE).toISOString();
}

function randomFact(
  dice: Dice,
  { id, source, root }: { id: string; source: string; root: string },
): UsageFact {
  // Few ids, so that sessions share replies.
  const replyId = `r${dice.roll(12)}`;
  const input = dice.pick([100, 127_999, 128_000, 128_001, 200_001, 300_000]);
  const tool = dice.chance(20) ? dice.roll(3) : null;
  const output = dice.roll(50);
  const place = { file: `${root}/${dice.chance(90) ? id : "elsewhere"}.jsonl` };
  return fact(id, replyId, {
    dedupKey: dice.chance(50) ? `${source}:${id}:${replyId}` : `key-${replyId}`,
    messageId: dice.chance(70) ? replyId : `m-${replyId}`,
    at: randomTime(dice),
    model: dice.pick(MODELS),
    standing: dice.pick(STANDINGS),
    reason: dice.chance(20) ? "rewind" : undefined,
    isAtLeast: dice.pick([undefined, undefined, true, false]),
    purpose: dice.chance(15) ? "title" : undefined,
    tier: dice.chance(15) ? "priority" : undefined,
    place: { ...place, line: dice.roll(9) + 1, start: dice.roll(99), end: 100 },
    input,
    tool,
    fresh: input + (tool ?? 0),
    cached: dice.chance(50) ? 0 : null,
    cacheWrite5m: dice.chance(30) ? dice.roll(9) : null,
    cacheWrite1h: dice.chance(30) ? dice.roll(9) : null,
    webSearches: dice.chance(20) ? dice.roll(3) : null,
    output,
    thoughts: dice.chance(50) ? dice.roll(9) : null,
    total: input + output + (tool ?? 0),
    oddities: dice.chance(15) ? ["remainder"] : undefined,
  });
}

function randomCall(dice: Dice, sessionId: string, index: number): ToolFact {
  const name = dice.pick(["read_file", "shell", "mcp__tickets__find"]);
  const isServer = name.startsWith("mcp");
  return {
    messageId: `r${dice.roll(6)}`,
    callId: `c${dice.chance(60) ? index : `${sessionId}-${index}`}`,
    name,
    label: name === "shell" ? "Bash" : name,
    canonical: name,
    category: "Other",
    ...(isServer ? { mcp: { server: "tickets", tool: "find" } } : {}),
    ...(dice.chance(80) ? { outcome: dice.pick(["success", "error", "cancelled"]) } : {}),
    ...withTime(randomTime(dice)),
    ...(dice.chance(50) ? { durationMs: dice.roll(5000) } : {}),
    ...(name === "shell" ? { commands: dice.some(2, () => dice.pick(["git", "npm"])) } : {}),
    files: dice.some(2, () => {
      return {
        path: dice.pick(["./a.ts", "a.ts", "/home/ada/ledger/a.ts", "~/b.ts", "C:\\c.ts"]),
        how: dice.pick(["read", "written", "edited"]),
        ...(dice.chance(50) ? { addedLines: dice.roll(9) } : {}),
      };
    }),
  };
}

function withTime(at: string | undefined): { at?: string } {
  return at === undefined ? {} : { at };
}

const WORDS = (
  "refresh token tokens getUserName HTTPServer user_name café CAFÉ naïve 函数解析 解析 テスト パ 한국어 " +
  "ไทย nu\0l x-1 v2.0 Straße ΣΊΣΥΦΟΣ can't e\u{301}tude the the a 😀 № ½ 𝒳 parseJSON2Text Übung"
).split(" ");
const GAPS = [" ", " ", "\n", ", ", "/", "", "_"];

export function randomText(dice: Dice): string {
  return dice.some(14, () => dice.pick(WORDS) + dice.pick(GAPS)).join("");
}

export function randomTexts(dice: Dice, sessions: readonly SessionRows[]): SessionTexts[] {
  return sessions.map(({ summary }) => {
    const pieces = dice.some(6, (index): TextPiece => {
      return {
        ...(dice.chance(80) ? { messageId: `m${index}` } : {}),
        role: dice.pick(TEXT_ROLES),
        standing: dice.pick(STANDINGS),
        ...(dice.chance(80) ? { atMs: START + dice.roll(9) * MINUTE } : {}),
        texts: [randomText(dice), ...dice.some(2, () => randomText(dice))],
        places: dice.some(2, () => ({ file: `${ROOT}/f${dice.roll(3)}`, start: 0, end: 9 })),
      };
    });
    const tool = { label: "Bash", calls: dice.roll(9), failed: 1, failedIn: ["m\0"] };
    const work = dice.chance(50) ? { work: sessionWork({ tools: [tool] }) } : {};
    return { source: summary.source, id: summary.id, pieces, ...work };
  });
}

/** Random annotations set on and removed from sessions, including one that does not exist. */
export function randomAnnotations(
  dice: Dice,
  ids: readonly string[],
): { changes: AnnotationChange[]; nowMs: number }[] {
  return dice.some(6, () => {
    const changes = dice.some(4, (): AnnotationChange => {
      const kind = dice.pick(ANNOTATION_KINDS);
      const on = { source: dice.pick(SOURCES), sessionId: dice.pick([...ids, "s99"]) };
      const message = dice.chance(30) ? { messageId: dice.pick(["m-r1", "m\0"]) } : {};
      const text = kind === "tag" ? dice.pick(["later", "Later"]) : dice.pick(["", "Zoo", "a\0b"]);
      return { ...on, ...message, kind, text, how: dice.pick(["set", "set", "removed"]) };
    });
    return { changes, nowMs: dice.roll(3) };
  });
}
