import { describe, expect, test } from "vitest";
import { loadMarkdownLines } from "../../src/cli/print/markdown.ts";
import { Style } from "../../src/cli/print/style.ts";
import { widthOf } from "../../src/cli/print/width.ts";

const plain = await loadMarkdownLines(new Style("plain"));
const painted = await loadMarkdownLines(new Style("colour"));

describe("Markdown on a terminal", () => {
  test("renders headings, lists, quotes, code and tables without Markdown marks", () => {
    const text = [
      "# Title",
      "Some **bold** and `code` and [a link](https://example.org).",
      "",
      "- one item that is long enough to go on in a second line",
      "- two",
      "  1. inner",
      "",
      "> said",
      "",
      "```ts",
      "const  x = 1;",
      "```",
      "",
      "| a | b |",
      "|---|---|",
      "| 1 | 2 |",
    ].join("\n");
    expect(plain(text, 40)).toEqual([
      "Title",
      "",
      "Some bold and code and a link",
      "(https://example.org).",
      "",
      "• one item that is long enough to go on",
      "  in a second line",
      "• two",
      "  1. inner",
      "",
      "│ said",
      "",
      "  const  x = 1;",
      "",
      "a │ b",
      "1 │ 2",
    ]);
  });

  test("no line exceeds the width", () => {
    const text = `${"word ".repeat(50)}\n\n- ${"x".repeat(100)}\n\n    ${"code ".repeat(30)}`;
    for (const line of painted(text, 30)) expect(widthOf(line)).toBeLessThanOrEqual(30);
  });

  test("removes escape sequences and bidirectional characters", () => {
    const text = "a \u001b[31mred\u001b[0m <b>tag</b> `\u001b]0;title\u0007`";
    expect(plain(text, 80)).toEqual(["a red <b>tag</b> ``"]);
    expect(plain("a&#8238;b &#27;[31m", 80)).toEqual(["ab \ufffd[31m"]);
    expect(painted(`**${text}**`, 80).join("")).not.toContain("\u001b]");
  });
});
