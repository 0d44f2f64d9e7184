import { posix } from "node:path";
import { expect, test } from "vitest";
import { anchorOf } from "../../docs/.vitepress/anchor.mjs";
import { files, textOf } from "../tidy/tree.ts";

const pages = files.filter((path) => path.endsWith(".md") && !path.startsWith("test/"));

test("links to headings point to existing ones", () => {
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)#:\s]*)#([^)]+)\)/g)].flatMap(([, path, anchor = ""]) => {
      const target = path ? posix.join(posix.dirname(page), path) : page;
      return anchorsOf(target).includes(anchor) ? [] : [`${page} → ${path}#${anchor}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("anchorOf gives the anchors that GitHub gives", () => {
  expect(["The program's own totals", "`--json`", "A, b & c"].map(anchorOf)).toEqual([
    "the-programs-own-totals",
    "--json",
    "a-b--c",
  ]);
});

function anchorsOf(page: string): string[] {
  const headings = textOf(page).matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = ""]) =>
    anchorOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")),
  );
}
