import type { Query } from "../../../core/search-expression.ts";
import type { TextFacts } from "./part.ts";
import { factsOf, roleOf, sessionOf } from "./part.ts";
import type { PartReader } from "./part-reader.ts";
import type { Meant, PartAnswer } from "./match.ts";
import { WordQuery } from "./match.ts";

export interface MatchWish {
  query: Query;
  sessions: Pick<ReadonlySet<number>, "has">;
  roles: ReadonlySet<number>;
  /** No more than so many are wanted: the newest. */
  most: number;
}

/** A text that answers a query. */
export interface Match {
  facts: TextFacts;
  /** How often each phrase stands in it. */
  counts: number[];
}

export interface Matches {
  /** The newest first. */
  matches: Match[];
  /** In how many texts each phrase stands at most; too few when not all parts were looked at. */
  spread: number[];
}

interface DatedPart {
  reader: PartReader;
  newest: number;
}

/** Goes through the parts from the newest on, until enough is found that nothing newer can come. */
export function newestMatches(parts: readonly DatedPart[], wish: MatchWish): Matches {
  const query = new WordQuery(wish.query);
  const spread = query.wanted.map(() => 0);
  const matches: Match[] = [];
  for (const [at, { reader }] of parts.entries()) {
    const { flags, counts, spread: most } = query.match(reader, meantIn(reader, wish));
    most.forEach((texts, phrase) => (spread[phrase] = (spread[phrase] ?? 0) + texts));
    if (!flags) continue;
    addMatches({ reader, flags, counts }, wish.most, matches);
    const next = parts[at + 1]?.newest ?? -1;
    const isOlder = ({ facts }: Match): boolean => facts.second <= next;
    if (matches.length - count(matches, isOlder, wish.most) >= wish.most) break;
  }
  return { matches: matches.toSorted(byNewest).slice(0, wish.most), spread };
}

/** Which texts may be found: all or none of a part, most often. */
function meantIn(reader: PartReader, { sessions, roles }: MatchWish): Meant {
  const { kinds } = reader;
  const left = [...kinds.sessions].filter((session) => sessions.has(session));
  if (left.length === 0) return "none";
  const hasAllRoles = [...kinds.roles].every((role) => roles.has(role));
  if (hasAllRoles && left.length === kinds.sessions.size) return "all";
  const { texts } = reader.part;
  const meant = new Set(left);
  const flags = new Uint8Array(reader.count);
  let last = { session: -1, isMeant: false };
  for (let text = 0; text < flags.length; text += 1) {
    const session = sessionOf(texts, text);
    // Texts of one session often follow one another.
    if (session !== last.session) last = { session, isMeant: meant.has(session) };
    if (last.isMeant && roles.has(roleOf(texts, text))) flags[text] = 1;
  }
  return flags;
}

/** The newest matches of a part; no more than can be wanted. */
function addMatches(
  { reader, flags, counts }: { reader: PartReader; flags: Uint8Array } & Pick<PartAnswer, "counts">,
  most: number,
  into: Match[],
): void {
  const { texts } = reader.part;
  let left = most;
  for (let end = flags.length; end > 0 && left > 0; left -= 1) {
    const text = flags.lastIndexOf(1, end - 1);
    if (text === -1) return;
    into.push({ facts: factsOf(texts, text), counts: counts.map((one) => one?.[text] ?? 0) });
    end = text;
  }
}

/** How many are so; not counted where there are too few to matter. */
function count(matches: readonly Match[], isSo: (one: Match) => boolean, most: number): number {
  return matches.length < most ? 0 : matches.filter(isSo).length;
}

function byNewest(a: Match, b: Match): number {
  return (
    b.facts.second - a.facts.second ||
    b.facts.session - a.facts.session ||
    b.facts.piece - a.facts.piece
  );
}
