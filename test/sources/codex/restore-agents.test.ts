import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { codex } from "../../../src/sources/codex/index.ts";
import { committedTrees } from "../../corpora/trees.ts";
import { restored } from "../../ingest/restoring.ts";
import { TestHome } from "../../ingest/test-home.ts";

test("a session restored from the store brings its agents along", async () => {
  const root = mkdtempSync(join(tmpdir(), "pollux-codex-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const tree = committedTrees("codex").find(({ name }) => name === "0.166.0/subagent");
  cpSync(tree?.roots[0] ?? "", join(root, "kept"), { recursive: true });
  const home = new TestHome({ source: codex, root: join(root, "kept") });
  await home.ingest();
  const query = { scope: "own", filter: {}, sort: "newest" } as const;
  const { items } = await home.store.sessions(query);
  const parent = items.find(({ summary }) => summary.kind === "main")?.summary.id ?? "";
  rmSync(join(root, "kept", "sessions"), { recursive: true });
  const target = join(root, "target");
  const answer = await restored(home, parent, { root: target });
  expect(answer.outcome).toBe("written");
  const names = items.flatMap(({ session }) => session.files.map(({ path }) => basename(path)));
  const written = [answer.file, ...answer.alsoWritten].map((path) => basename(path));
  expect(written.toSorted()).toEqual(names.toSorted());
  const there = readdirSync(join(target, "sessions/2026/11/15"));
  expect(there.toSorted()).toEqual(names.toSorted());
});
