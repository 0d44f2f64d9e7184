import type { SkimSum } from "../store/archive.ts";
import { numbersOf } from "../store/reply-numbers.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Digest } from "../core/digest.ts";
import type { SessionFile } from "../core/session-file.ts";
import { isSettled } from "./changed.ts";
import type { Home } from "./gather.ts";
import { roughDigest } from "./rough-digest.ts";
import type { Wanted } from "./second-skim.ts";
import type { ReadFile } from "./session-source.ts";
import type { SkimmedFile } from "./skim-file.ts";
import type { Second } from "./skim-threads.ts";
import { skimFiles } from "./skim-threads.ts";
import { filesIn, skimmedSessions, wantedOf } from "./skimmed-sessions.ts";

/** A short text about each session, made of its digest. */
export interface SumHow {
  /** Other sums have other names. To find it out takes a while. */
  name: () => string;
  make: (digest: Digest) => string;
  /** What a second thread has to know to do the same. */
  told?: unknown;
}

/** What is remembered of files that were skimmed before, by path. */
export interface SumMemory {
  known: ReadonlyMap<string, SkimSum>;
  nowMs: number;
  second?: Pick<Second, "begin" | "meanwhile">;
}

export interface Summed {
  texts: string[];
  files: ReadFile[];
  diagnostics: Diagnostic[];
  /** Worth remembering. */
  news: Map<string, SkimSum>;
}

/**
 * A text about every session, of what is skimmed alone: as much as a report needs, and a fraction
 * of all facts. Nothing when the sessions share replies: then all of them have to be read.
 */
export async function sumHomes(
  homes: readonly Home[],
  how: SumHow,
  memory: SumMemory,
): Promise<Summed | undefined> {
  const found = filesIn(homes);
  const sums = found.map(({ file }) => {
    const known = memory.known.get(file.path);
    return known?.look === lookOf(file) ? known : undefined;
  });
  const missing = [...found.keys()].filter((at) => !sums[at]);
  const wanted = missing.flatMap((at) => (found[at] ? wantedOf(found[at]) : []));
  const take = (one: Wanted, skimmed: SkimmedFile): SkimSum => sumFile(one, skimmed, how.make);
  const news = new Map<string, SkimSum>();
  for (const [number, sum] of await skimFiles(wanted, take, secondOf(how, memory))) {
    const at = missing[number] ?? -1;
    sums[at] = sum;
    const file = found[at]?.file;
    if (file && isSettled(file, memory.nowMs)) news.set(file.path, sum);
  }
  const { sessions, files, diagnostics } = skimmedSessions(homes, found, (at) => sums[at]);
  const told = sessions.map((one) => {
    return "digest" in one ? sumDigest(one.digest, how.make) : one.told;
  });
  const texts = told.map(({ text }) => text);
  return hasRepeated(told) ? undefined : { texts, files, diagnostics, news };
}

function secondOf({ told }: SumHow, { second }: SumMemory): Second | undefined {
  return second && told !== undefined ? { ...second, told } : undefined;
}

/** A skimmed file, added up. */
export function sumFile(one: Wanted, skimmed: SkimmedFile, make: SumHow["make"]): SkimSum {
  const { sessionId, format, generation } = skimmed;
  const sum = sumDigest(roughDigest(one, skimmed), make);
  return { look: lookOf(one.file), sessionId, format, generation, ...sum };
}

function sumDigest(digest: Digest, make: SumHow["make"]): Pick<SkimSum, "replies" | "text"> {
  return { replies: numbersOf(digest.usage), text: make(digest) };
}

/** A reply in two sessions was paid for once; which of them it belongs to, all of them tell. */
function hasRepeated(sums: readonly Pick<SkimSum, "replies">[]): boolean {
  return hasDoubles(sums.map(({ replies }) => replies)) && isShared(sums);
}

/** Nearly always there are none at all, which sorted numbers tell soonest. */
function hasDoubles(lists: readonly Float64Array[]): boolean {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  all.sort();
  return all.some((reply, index) => index > 0 && reply === all[index - 1]);
}

/** A session may tell of a reply twice; two of them may not. */
function isShared(sums: readonly Pick<SkimSum, "replies">[]): boolean {
  const owners = new Map<number, number>();
  return sums.some(({ replies }, session) => {
    return replies.some((reply) => {
      const owner = owners.get(reply);
      if (owner === undefined) owners.set(reply, session);
      return owner !== undefined && owner !== session;
    });
  });
}

function lookOf({ sizeBytes, modifiedMs, inode }: SessionFile): string {
  return `${sizeBytes} ${modifiedMs} ${inode}`;
}
