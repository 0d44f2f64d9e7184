/** What is searched for, as a tree. */
export type SearchExpression =
  /** Words that follow one another; with a prefix, the last one may go on. */
  | { kind: "phrase"; text: string; isPrefix: boolean }
  | { kind: "and"; parts: SearchExpression[] }
  | { kind: "or"; parts: SearchExpression[] }
  | { kind: "not"; wanted: SearchExpression; unwanted: SearchExpression };

/** The phrases that a found text may contain: what is marked in it. */
export function phrasesOf(query: SearchExpression): { text: string; isPrefix: boolean }[] {
  switch (query.kind) {
    case "phrase":
      return [{ text: query.text, isPrefix: query.isPrefix }];
    case "and":
    case "or":
      return query.parts.flatMap(phrasesOf);
    case "not":
      return phrasesOf(query.wanted);
    default:
      return query satisfies never;
  }
}
