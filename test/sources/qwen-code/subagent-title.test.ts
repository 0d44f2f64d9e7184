import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { open } from "../../../src/library/library.ts";

const TREE = join(import.meta.dirname, "../../fixtures/corpora/qwen-code/0.24.4/subagent");

test("a subagent without its metadata file has the same title at every depth", async () => {
  const home = mkdtempSync(join(tmpdir(), "pollux-qwen-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  cpSync(TREE, home, { recursive: true });
  for (const name of readdirSync(home, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".meta.json")) rmSync(join(home, name));
  }
  const titles = async (refresh: "look" | "fresh"): Promise<unknown[]> => {
    const library = open({ roots: [home], refresh });
    const { sessions } = await library.sessions({});
    await library.close();
    return sessions.map(({ id, kind, title }) => ({ id, kind, title }));
  };
  const exact = await titles("fresh");
  expect(exact).toContainEqual(expect.objectContaining({ kind: "subagent" }));
  expect(await titles("look")).toEqual(exact);
});
