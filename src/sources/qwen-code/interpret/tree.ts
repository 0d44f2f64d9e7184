import { compareTexts } from "../../../core/lists.ts";
import type { RecordedMessage, Standing, StandingReason } from "../../../core/session/message.ts";
import type { Place } from "../../../core/files/place.ts";
import type { DecodedFile } from "../../source.ts";
import type { Entry, RecordsContent } from "../content.ts";

export type RecordFile = DecodedFile & { content: RecordsContent };

/** All records of one session, each once, and the chain that Qwen Code continues from. */
export interface Tree {
  /** In the order of writing. */
  entries: readonly Entry[];
  byId: ReadonlyMap<string, Entry>;
  /** Ids on the chain from the last record to the first. */
  way: ReadonlySet<string>;
  standingOf(entry: Pick<Entry, "uuid">): { standing: Standing; reason?: StandingReason };
  /** Further places of a record. */
  copies: ReadonlyMap<string, readonly Place[]>;
  /** Number of records that each file added to those of earlier files. */
  fresh: ReadonlyMap<RecordFile, number>;
}

/** Sorts by last write, so that the order of finding does not matter. */
export function inOrder(files: readonly RecordFile[]): RecordFile[] {
  return files.toSorted((a, b) => {
    return (
      Number(b.file.replaced !== undefined) - Number(a.file.replaced !== undefined) ||
      compareTexts(a.content.facts.lastAt ?? "", b.content.facts.lastAt ?? "") ||
      a.content.entries.length - b.content.entries.length ||
      compareTexts(a.file.path, b.file.path)
    );
  });
}

export function treeOf(files: readonly RecordFile[]): Tree {
  const byId = new Map<string, Entry>();
  const copies = new Map<string, Place[]>();
  const fresh = new Map<RecordFile, number>();
  for (const file of inOrder(files)) {
    const before = byId.size;
    for (const entry of file.content.entries) {
      const known = byId.get(entry.uuid);
      if (!known) byId.set(entry.uuid, entry);
      else {
        if (known.place.file === entry.place.file) byId.set(entry.uuid, joined(known, entry));
        copies.set(entry.uuid, [...(copies.get(entry.uuid) ?? []), entry.place]);
      }
    }
    fresh.set(file, byId.size - before);
  }
  const last = inOrder(files).at(-1)?.content.entries.findLast(canBeLast);
  const { way, hasGap } = wayFrom(last, byId);
  const entries = [...byId.values()];
  return { entries, byId, way, copies, fresh, standingOf: standings(entries, way, hasGap) };
}

function canBeLast(entry: Entry): boolean {
  return entry.kind !== "link" || entry.isArtifact !== true;
}

/** Stops at a missing parent, as Qwen Code does. */
function wayFrom(
  last: Entry | undefined,
  byId: ReadonlyMap<string, Entry>,
): { way: Set<string>; hasGap: boolean } {
  const way = new Set<string>();
  let current = last;
  while (current && !way.has(current.uuid)) {
    way.add(current.uuid);
    const { parentUuid } = current;
    if (parentUuid === undefined) return { way, hasGap: false };
    current = byId.get(parentUuid);
  }
  return { way, hasGap: last !== undefined };
}

/** Records off the chain were rewound, cut off by a gap, or are on another branch. */
function standings(
  entries: readonly Entry[],
  way: ReadonlySet<string>,
  hasGap: boolean,
): Tree["standingOf"] {
  const reasons = new Map<string, StandingReason>();
  let reason: StandingReason = "branch";
  let isBeforeWay = hasGap;
  const firstOnWay = entries.findIndex(({ uuid }) => way.has(uuid));
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (!entry) continue;
    if (entry.kind === "rewind") reason = "rewind";
    isBeforeWay = hasGap && index < firstOnWay;
    if (!way.has(entry.uuid)) reasons.set(entry.uuid, isBeforeWay ? "truncation" : reason);
  }
  return ({ uuid }) => {
    const why = reasons.get(uuid);
    return why === undefined ? { standing: "live" } : { standing: "rewound", reason: why };
  };
}

/** Records with the same id in one file are fragments of one message. */
function joined(first: Entry, second: Entry): Entry {
  if (first.kind !== "message" || second.kind !== "message") return first;
  const result = second.result ?? first.result;
  const message = joinedMessage(first.message, second.message);
  return { ...first, message, ...(result ? { result } : {}) };
}

function joinedMessage(a: RecordedMessage, b: RecordedMessage): RecordedMessage {
  return {
    ...a,
    text: a.text + b.text,
    ...(a.typed === undefined ? {} : { typed: a.typed + (b.typed ?? "") }),
    isPrompt: a.isPrompt || b.isPrompt,
    references: [...a.references, ...b.references],
    injections: [...a.injections, ...b.injections],
    thoughts: [...a.thoughts, ...b.thoughts],
    toolCalls: [...a.toolCalls, ...b.toolCalls],
    results: [...a.results, ...b.results],
    attachments: [...a.attachments, ...b.attachments],
    hasRecordedCalls: a.hasRecordedCalls || b.hasRecordedCalls,
    usage: b.usage ?? a.usage,
    model: a.model ?? b.model,
  };
}
