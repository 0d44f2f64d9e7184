// @module-tag slow
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { titleOf } from "../../src/core/rows/summarise.ts";
import { claudeCode } from "../../src/sources/claude-code/index.ts";
import { codex } from "../../src/sources/codex/index.ts";
import { geminiCli } from "../../src/sources/gemini-cli/index.ts";
import type { Source } from "../../src/sources/source.ts";
import { readTree } from "./read-tree.ts";
import type { CorpusTree } from "./trees.ts";
import { corpusTrees } from "./trees.ts";
import { truthOf } from "./truth.ts";

/** The scripted API's answer to a title request of Gemini CLI, whose log has no texts. */
const GEMINI_TITLE = "Tidy the ledger and explain it";

function titlesIn(source: Source, tree: CorpusTree): Map<string, string | null> {
  return new Map(readTree(source, tree).sessions.map((session) => [session.id, titleOf(session)]));
}

/** Whether a title is on disk. Many are only shown in the terminal's title bar. */
function isRecorded({ roots }: CorpusTree, title: string): boolean {
  const written = JSON.stringify(title).slice(1, -1);
  return roots.some((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true }).some(
      (file) =>
        /\.jsonl?$/.test(file.name) &&
        readFileSync(join(file.parentPath, file.name), "utf8").includes(written),
    ),
  );
}

describe("sessions have the titles that their agent recorded", () => {
  test.each(corpusTrees("claude-code"))("Claude Code $name", (tree) => {
    const shown = [...titlesIn(claudeCode, tree).values()];
    const given = truthOf(tree).requests.flatMap(({ kind, texts }) => {
      return kind === "title" ? texts.filter((text) => isRecorded(tree, text)) : [];
    });
    expect(given.filter((title) => !shown.includes(title))).toEqual([]);
  });

  test.each(corpusTrees("codex"))("Codex $name", (tree) => {
    const titles = titlesIn(codex, tree);
    // Given by the user or generated; the program's table has the latest.
    const given = (tree.truth().stateThreads ?? []).filter(({ name }) => name);
    const shown = given.map(({ id }) => titles.get(id));
    expect(shown).toEqual(given.map(({ name }) => name));
  });

  test.each(corpusTrees("gemini-cli"))("Gemini CLI $name", (tree) => {
    const isAsked = truthOf(tree).requests.some(({ kind }) => kind === "session_summary");
    const given = isAsked && isRecorded(tree, GEMINI_TITLE) ? [GEMINI_TITLE] : [];
    const shown = [...titlesIn(geminiCli, tree).values()];
    expect(given.filter((title) => !shown.includes(title))).toEqual([]);
  });
});
