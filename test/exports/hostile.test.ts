import { describe, expect, test } from "vitest";
import { exports } from "../../src/exports/index.ts";
import { homeWith } from "../samples/home.ts";
import { HOSTILE_HOME, HOSTILE_ID } from "../samples/hostile.ts";
import { writtenText } from "./written.ts";

const TEXTS = exports.filter(({ isBinary }) => isBinary !== true);

describe("a hostile session", () => {
  test.each(TEXTS.map((form) => [form.name, form] as const))(
    "puts no control or bidirectional characters into %s",
    async (to, { tables }) => {
      const { library } = homeWith(HOSTILE_HOME);
      for (const table of tables ?? [undefined]) {
        const request = { to, ...(table === undefined ? {} : { table }) };
        const text = await writtenText(library, HOSTILE_ID, request);
        expect(text.length).toBeGreaterThan(1000);
        expect(text).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
        expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028\u2029]/);
        expect(text).not.toMatch(/\p{Cs}/u);
      }
    },
  );

  test.each(TEXTS.filter(({ mediaType }) => mediaType.includes("json")).map(({ name }) => name))(
    "%s is valid JSON and keeps the text",
    async (to) => {
      const { library } = homeWith(HOSTILE_HOME);
      const text = await writtenText(library, HOSTILE_ID, { to });
      const isLines = exports.find(({ name }) => name === to)?.extension.endsWith("jsonl") === true;
      const values = isLines ? text.trimEnd().split("\n") : [text];
      for (const value of values) expect(() => JSON.parse(value) as unknown).not.toThrow();
      expect(text.includes("pwned") || to === "agent-trace").toBe(true);
    },
  );

  test("adds no markup to Markdown", async () => {
    const { library } = homeWith(HOSTILE_HOME);
    const text = await writtenText(library, HOSTILE_ID, { to: "markdown" });
    const outside = withoutCode(text);
    const tags = [...outside.matchAll(/<\/?[a-z!?][^>\n]*>?/gi)].map(([tag]) => tag);
    expect(new Set(tags)).toEqual(new Set(["<details>", "</details>", "<summary>", "</summary>"]));
    const count = (tag: string): number => tags.filter((name) => name === tag).length;
    expect(count("<details>")).toBe(count("</details>"));
    expect(outside).not.toMatch(/!\[/);
    const targets = outside.match(/(?<!\\)\][(:](?!\s*(?:https?:|mailto:|#)).*/g);
    expect(targets).toBeNull();
    expect(outside.split("\n").filter((line) => line.startsWith("# "))).toHaveLength(1);
  });
});

/** Removes code blocks and code spans, whose content is not interpreted. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = /^(?:> )? {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line);
    if (fence === undefined && mark) fence = mark[1];
    else if (fence === undefined) kept.push(line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, ""));
    else if (mark?.[1]?.startsWith(fence) === true && mark[2]?.trim() === "") fence = undefined;
  }
  return kept.join("\n");
}
