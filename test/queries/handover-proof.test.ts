// @module-tag slow
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  AGENTS,
  digestOf,
  MADE,
  RECORDED,
  STORIES,
  storiesOf,
  writeMade,
} from "../../scripts/prove-handover/stories.mjs";
import type { ProofCase } from "../../scripts/prove-handover/table.mjs";
import {
  pairsTable,
  proofTable,
  VERSIONS,
  wantedFor,
} from "../../scripts/prove-handover/table.mjs";
import { CODEX_LIST } from "../../scripts/prove-handover/targets.mjs";
import type { Session } from "../../src/core/session/session.ts";
import { open } from "../../src/library/library.ts";
import { prepareHandover } from "../../src/queries/handover/prepare.ts";
import { maskSecrets } from "../../src/queries/redaction/secret-mask.ts";
import { sources } from "../../src/sources/index.ts";
import { NOW, requestAt } from "../samples/handover.ts";

/**
 * Results of `scripts/prove-handover.mjs` with the real programs: the sessions and the digest of
 * the
 * file written for each. A case whose file would differ now must be proved again.
 */
interface ProvedCase extends ProofCase {
  items: number;
  file: string;
}

const fixtures = join(import.meta.dirname, "../fixtures");
const { cases } = JSON.parse(readFileSync(join(fixtures, "handover-proof.json"), "utf8")) as {
  cases: ProvedCase[];
};
const made = mkdtempSync(join(tmpdir(), "pollux-made-"));
afterAll(() => rmSync(made, { recursive: true, force: true }));

/** The session of the proof: recorded, or made in the agent's own format. */
async function sessionOf(story: string, from: string): Promise<Session> {
  const source = sources.find(({ id }) => id === from);
  if (!source) throw new Error(`no source ${from}`);
  const tree = RECORDED[story]?.[Object.keys(AGENTS).indexOf(from)];
  const root =
    tree === undefined
      ? writeMade(story, { source, folder: join(made, randomUUID()), nowMs: NOW })
      : join(fixtures, "corpora", tree, AGENTS[from] ?? "");
  const library = open({ roots: [root] });
  return (await maskSecrets(await library.session("latest"))).session;
}

test("every pair of agents and every story is proved", () => {
  const named = ({ target, from, story }: ProofCase) => `${from} to ${target}: ${story}`;
  const wanted = Object.keys(VERSIONS).flatMap(wantedFor);
  expect(cases.map(named).toSorted()).toEqual(wanted.map(named).toSorted());
  expect(STORIES).toHaveLength(11);
  expect(Object.keys(MADE)).toContain("hostile");
});

test("the guide contains the current proof tables", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/handover.md"), "utf8");
  expect(guide).toContain(`\n${proofTable(cases)}\n`);
  expect(guide).toContain(`\n${pairsTable(cases)}\n`);
  expect(guide).toContain(`\n(${CODEX_LIST}) | codex app-server\n`);
});

describe.each(Object.keys(AGENTS))("from %s", (from) => {
  test.each(STORIES)("%s: the planned file equals the proved one", async (story) => {
    const recorded = await sessionOf(story, from);
    const sourceName = sources.find(({ id }) => id === from)?.name ?? "";
    const directory = "/home/ada/projects/ledger";
    const request = { sourceName, directory, nowMs: NOW };
    for (const proof of cases.filter((example) => example.from === from)) {
      const [agent = "", version = ""] = proof.target.split(" ");
      const proved = storiesOf(from, agent).find(({ name }) => name === proof.story);
      if (proved?.story !== story) continue;
      const { conversation } = prepareHandover(recorded, { ...request, ...proved.options });
      const target = sources.find(({ id }) => id === agent);
      const plan = target?.abilities.handover?.plan(conversation, {
        ...requestAt(join(made, "nowhere")),
        version,
      });
      expect(conversation.items, proof.target).toHaveLength(proof.items);
      expect(digestOf(plan?.file.text ?? "", NOW), proof.target).toBe(proof.file);
    }
  });
});
