/** A search query as a tree. */
export type SearchExpression =
  /** Consecutive words; if `isPrefix`, the last one may be the beginning of a longer word. */
  | { kind: "phrase"; text: string; isPrefix: boolean }
  | { kind: "and"; parts: SearchExpression[] }
  | { kind: "or"; parts: SearchExpression[] }
  | { kind: "not"; wanted: SearchExpression; unwanted: SearchExpression };

/** Returns the phrases that a match may contain; they are highlighted in it. */
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
