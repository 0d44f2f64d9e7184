import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sources } from "../../src/sources/index.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/guide/tools-table.md"), "utf8");

/** The section of the page about an agent. */
function sectionOf(name: string): string {
  const [, section = ""] = page.split(`\n## ${name}\n`);
  return section.split("\n## ")[0] ?? "";
}

function rowsOf(section: string): { names: string[]; cells: string[] }[] {
  const lines = section.split("\n").filter((line) => line.startsWith("| `"));
  return lines.map((line) => {
    const [recorded = "", ...cells] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    const names = [...recorded.matchAll(/`([^`]+)`/g)].flatMap((match) => match[1] ?? []);
    return { names, cells };
  });
}

describe.each(sources.map((source) => [source.name, source] as const))("%s", (name, source) => {
  const section = sectionOf(name);

  test("every row of the page equals the table in the code", () => {
    const rows = rowsOf(section).filter(({ names }) => !names.some((tool) => tool.includes("<")));
    expect(rows, `docs/guide/tools-table.md, "## ${name}": its rows`).not.toEqual([]);
    for (const { names, cells } of rows) {
      for (const tool of names) {
        const { label, canonical, category } = source.tools.find(tool) ?? {};
        expect([tool, label, `\`${canonical}\``, category]).toEqual([tool, ...cells]);
      }
    }
  });

  test("every tool of the table in the code is on the page", () => {
    const { names } = source.tools;
    expect(names).not.toEqual([]);
    expect(names.filter((tool) => !section.includes(`\`${tool}\``))).toEqual([]);
  });
});
