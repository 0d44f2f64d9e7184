import { describe, expect, test } from "vitest";
import { PolluxError } from "../../src/core/error.ts";
import type { SearchExpression } from "../../src/core/filter/search-expression.ts";
import { parseQuery } from "../../src/queries/query.ts";

/** A query as a short text: `(a & "b c") - d*`. */
function described(query: SearchExpression): string {
  switch (query.kind) {
    case "phrase":
      return `${quoted(query.text)}${query.isPrefix ? "*" : ""}`;
    case "and":
      return `(${query.parts.map(described).join(" & ")})`;
    case "or":
      return `(${query.parts.map(described).join(" | ")})`;
    case "not":
      return `(${described(query.wanted)} - ${described(query.unwanted)})`;
    default:
      return query satisfies never;
  }
}

function quoted(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text;
}

describe("a query", () => {
  test.each([
    ["token", "token"],
    ["  refresh   token ", "(refresh & token)"],
    ["refresh AND token", "(refresh & token)"],
    ['"refresh token"', '"refresh token"'],
    ['"refresh tok"*', '"refresh tok"*'],
    ["migra*", "migra*"],
    ["a OR b c", "(a | (b & c))"],
    ["(a OR b) c", "((a | b) & c)"],
    ["a NOT b", "(a - b)"],
    ["a NOT b NOT c", "(a - (b | c))"],
    ["a NOT (b OR c) d", "((a & d) - (b | c))"],
    ["NOT b a", "(a - b)"],
    ["a or b", "(a & or & b)"],
    ["read_file src/a.ts", "(read_file & src/a.ts)"],
    ["函数 c++", "(函数 & c++)"],
    ["((a))", "a"],
    ["a AND (b OR (c d)) NOT e*", "((a & (b | (c & d))) - e*)"],
  ])("%s", (text, tree) => {
    expect(described(parseQuery(text))).toBe(tree);
  });

  test.each([
    ["", 1, "it is empty"],
    ["   ", 1, "it is empty"],
    ['a "b c', 3, 'a quoted phrase is not closed: a " is missing'],
    ["(a b", 1, 'a "(" is not closed'],
    ["a (b OR c", 3, 'a "(" is not closed'],
    ["a b)", 4, 'a ")" has no matching "("'],
    ["a OR", 3, "something to search for is missing after OR"],
    ["OR a", 1, "something to search for is missing before OR"],
    ["a AND OR b", 3, "something to search for is missing after AND"],
    ["NOT a", 1, "NOT needs another word to search for"],
    ["a OR NOT b", 6, "NOT needs another word to search for"],
    ["a ()", 3, "there is nothing between ( and )"],
    ["a -> b", 3, "nothing to search for: it contains no letter or digit"],
    ["𝒳 ->", 3, "nothing to search for: it contains no letter or digit"],
    ['""', 1, "nothing to search for: it contains no letter or digit"],
  ])("%j is refused with the position of the error", (text, place, what) => {
    let error: unknown;
    try {
      parseQuery(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PolluxError);
    expect(error).toMatchObject({
      code: "bad-query",
      message: `Invalid query at character ${place}: ${what}.`,
    });
  });
});
