import type { Query } from "../../model/query.ts";
import type { TextFacts } from "./part.ts";
import { factsOf } from "./part.ts";
import type { PartReader } from "./part-reader.ts";
import { WordQuery } from "./match.ts";

export interface MatchWish {
  query: Query;
  sessions: ReadonlySet<number>;
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
  /** In how many texts each phrase stands; of little use when not all parts were looked at. */
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
  let matches: Match[] = [];
  for (const [at, { reader }] of parts.entries()) {
    const { flags, counts } = query.match(reader);
    counts.forEach((one, phrase) => (spread[phrase] = (spread[phrase] ?? 0) + textsIn(one)));
    if (!flags) continue;
    const found: Match[] = [];
    for (let text = flags.length - 1; text >= 0 && found.length < wish.most; text -= 1) {
      if (flags[text] !== 1) continue;
      const facts = factsOf(reader.part.texts, text);
      if (!wish.sessions.has(facts.session) || !wish.roles.has(facts.role)) continue;
      found.push({ facts, counts: counts.map((one) => one?.[text] ?? 0) });
    }
    if (found.length === 0) continue;
    matches = [...matches, ...found].toSorted(byNewest).slice(0, wish.most);
    const last = matches[wish.most - 1];
    const next = parts[at + 1]?.newest ?? -1;
    if (last && last.facts.second > next) break;
  }
  return { matches, spread };
}

function byNewest(a: Match, b: Match): number {
  return (
    b.facts.second - a.facts.second ||
    b.facts.session - a.facts.session ||
    b.facts.piece - a.facts.piece
  );
}

function textsIn(counts: Uint32Array | undefined): number {
  let texts = 0;
  for (const count of counts ?? []) if (count > 0) texts += 1;
  return texts;
}
