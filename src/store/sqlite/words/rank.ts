import { TEXT_ROLES } from "../../../core/text.ts";
import type { Match, Matches } from "./newest.ts";
import type { PartReader } from "./part-reader.ts";

/** What was asked and answered weighs more than what tools put out. */
const WEIGHTS = { title: 2, prompt: 1.6, answer: 1.4, thought: 1, tool: 0.8, other: 0.6 } as const;

/** How soon saying a word again counts for little, and how much the length of a text counts. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** The best first, by the usual measure (BM25): rare words, often, in short texts. */
export function ranked(
  parts: readonly { reader: PartReader }[],
  { matches, spread }: Matches,
): { match: Match; rank: number }[] {
  const texts = parts.reduce((sum, { reader }) => sum + reader.count, 0);
  const words = parts.reduce((sum, { reader }) => sum + reader.part.length, 0);
  const usualLength = Math.max(1, words / Math.max(1, texts));
  const rarities = spread.map((count) => Math.log(1 + (texts - count + 0.5) / (count + 0.5)));
  return matches
    .map((match) => {
      const { length, role } = match.facts;
      const relative = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / usualLength;
      const scores = match.counts.map((count, phrase) => {
        const often = (count * (SATURATION + 1)) / (count + SATURATION * relative);
        return (rarities[phrase] ?? 0) * often;
      });
      const sum = scores.reduce((total, score) => total + score, 0);
      return { match, rank: sum * WEIGHTS[TEXT_ROLES[role] ?? "other"] };
    })
    .toSorted((a, b) => b.rank - a.rank || b.match.facts.second - a.match.facts.second);
}
