// @module-tag slow
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UNSPACED_SCRIPT, WORD } from "../../src/core/filter/fold.ts";
import { Matcher } from "../../src/core/filter/matcher.ts";
import { parseQuery } from "../../src/queries/query.ts";
import { snippetOf } from "../../src/queries/search/snippet.ts";

function marked(text: string, query: string): string {
  const { snippet, marks } = snippetOf(text, new Matcher(parseQuery(query)));
  let shown = "";
  let at = 0;
  for (const [start, end] of marks) {
    shown += `${snippet.slice(at, start)}«${snippet.slice(start, end)}»`;
    at = end;
  }
  return shown + snippet.slice(at);
}

describe("highlighting", () => {
  test.each([
    ["The Token is refreshed", "token", "The «Token» is refreshed"],
    ["tokens and token", "token", "tokens and «token»"],
    ["tokens and token", "tok*", "«tok»ens and «tok»en"],
    ["refresh the token", '"refresh token"', "refresh the token"],
    ["refresh, token", '"refresh token"', "«refresh, token»"],
    ["un émigré naïf", "emigre naif", "un «émigré» «naïf»"],
    ["e\u0301migre\u0301 x", "emigre", "«e\u0301migre\u0301» x"],
    ["call read_file now", "read_file", "call «read_file» now"],
    ["call read_file now", "file", "call read_«file» now"],
    ["用户登录login失败了", "登录", "用户«登录»login失败了"],
    ["用户登录login失败了", "login", "用户登录«login»失败了"],
    ["函数解析器", "数", "函«数»解析器"],
    ["函数 解析", '"函数 解析"', "«函数 解析»"],
    ["สวัสดีครับ", "สวัสดี", "«สวัสดี»ครับ"],
    ["a b a", "a NOT b", "«a» b «a»"],
    ["İstanbul x", "x", "İstanbul «x»"],
  ])("%s, for %s", (text, query, shown) => {
    expect(marked(text, query)).toBe(shown);
  });
});

/** The same as a slow regular expression. */
function placesOf(words: readonly string[], text: string): [number, number][] {
  const letter = "[\\p{L}\\p{N}\\p{Co}]";
  const isRun = (word: string | undefined): boolean => UNSPACED_SCRIPT.test(word ?? "");
  const bodies = words.map((word, at) => {
    if (at === 0) return word;
    return `[^\\p{L}\\p{N}\\p{Co}]${isRun(words[at - 1]) === isRun(word) ? "+" : "*"}${word}`;
  });
  const run = UNSPACED_SCRIPT.source;
  const before = isRun(words[0]) ? "" : `(?<!(?!${run})${letter})`;
  const behind = isRun(words.at(-1)) ? "" : `(?!(?!${run})${letter})`;
  const all = text.matchAll(new RegExp(`${before}${bodies.join("")}${behind}`, "gu"));
  return Array.from(all, ({ 0: found, index }) => [index, index + found.length]);
}

test("phrases are highlighted where a regular expression finds them, in any text", () => {
  const token = fc.constantFrom(
    ..."a b ab 1 \u00b5 函 数 函数 \u{1d41a} \u{10a00} 😀 \udc00 \ud83d . _ -".split(" "),
    " ",
    "\n",
  );
  const texts = fc.array(token, { maxLength: 30 }).map((list) => list.join(""));
  const phrases = fc.array(token, { minLength: 1, maxLength: 5 }).map((list) => list.join(""));
  fc.assert(
    fc.property(texts, phrases, (text, phrase) => {
      const words = phrase.match(WORD) ?? [];
      const matcher = new Matcher({ kind: "phrase", text: phrase, isPrefix: false });
      expect(matcher.marks(text)).toEqual(words.length === 0 ? [] : placesOf(words, text));
    }),
    { numRuns: 3000 },
  );
});

describe("a snippet", () => {
  const filler = "many words of no interest ".repeat(40);

  test("is the part with the most marks, cut at word boundaries", () => {
    const text = `${filler}token here. ${filler}refresh the token now ${filler}`;
    const shown = marked(text, "refresh token");
    expect(shown).toContain("«refresh» the «token» now");
    expect(shown).toMatch(/^….*…$/s);
    expect(shown.length).toBeLessThan(220);
    expect(shown).not.toMatch(/…\S*[a-z]…/);
  });

  test("does not split a character", () => {
    const text = `${"😀".repeat(300)} token ${"😀".repeat(300)}`;
    const { snippet } = snippetOf(text, new Matcher(parseQuery("token")));
    expect(Buffer.from(snippet).toString()).toBe(snippet);
    expect(snippet).toContain("token");
  });

  test("of a text without marks is its beginning", () => {
    expect(marked(filler, "absent")).toMatch(/^many words .*…$/s);
  });
});
