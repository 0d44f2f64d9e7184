// @module-tag slow
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import type { UsageRow } from "../../src/queries/usage/usage.ts";
import { MIXED_AGENTS, mixedHome, sharedHome } from "./mixed-home.ts";

const NOW = Date.parse("2026-11-16T12:00:00Z");
const environment = { env: {}, homeDir: "/home/ada" };
const PER_AGENT = 6;

/** Opens the same home three ways: from the archive, read in full, and read at depth "usage". */
async function threeWays(): Promise<Record<"kept" | "full" | "usage", Library>> {
  const roots = [mixedHome(PER_AGENT)];
  const folder = mkdtempSync(join(tmpdir(), "pollux-mixed-archive-"));
  const archive = join(folder, "archive.db");
  const kept = open({ roots, archive, environment, clock: () => NOW });
  await kept.keep(NOW);
  const full = open({ roots, archive, environment, refresh: "fresh", clock: () => NOW });
  const usage = open({ roots, environment, clock: () => NOW });
  onTestFinished(async () => {
    for (const library of [kept, full, usage]) await library.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { kept, full, usage };
}

describe("a home with several agents", () => {
  test("reports usage by agent, and the agents add up to the total", async () => {
    const { full } = await threeWays();
    const all = await full.usage({ by: ["agent"] });
    expect(all.rows.map(({ key }) => key).toSorted()).toEqual(MIXED_AGENTS.toSorted());
    for (const id of MIXED_AGENTS) {
      const row = all.rows.find(({ key }) => key === id);
      const alone = await full.usage({ by: ["agent"], source: id });
      expect(alone.rows).toEqual([row]);
      const calls = [];
      for await (const call of full.calls({ source: id })) calls.push(call);
      expect(calls).toHaveLength(row?.requests ?? -1);
      expect(new Set(calls.map(({ source }) => source))).toEqual(new Set([id]));
    }
    const sum = all.rows.reduce((total, { tokens }) => total + tokens.total, 0);
    expect(sum).toBe(all.totals.tokens.total);
  });

  test("keeps agents of a shared project apart and counts nothing twice", async () => {
    const home = sharedHome();
    const folder = mkdtempSync(join(tmpdir(), "pollux-shared-archive-"));
    const archive = join(folder, "archive.db");
    const kept = open({ roots: [home], archive, environment, clock: () => NOW });
    onTestFinished(async () => {
      await kept.close();
      rmSync(folder, { recursive: true, force: true });
    });
    await kept.keep(NOW);
    const together = await kept.usage({ by: ["agent"] });
    const alone = await Promise.all(
      [".gemini", ".claude", ".codex", ".qwen"].map(async (name) => {
        const library = open({ roots: [join(home, name)], environment, clock: () => NOW });
        const { rows } = await library.usage({ by: ["agent"] });
        expect(rows).toHaveLength(1);
        // The same of the archive, which keeps the others, too.
        const single = open({ roots: [join(home, name)], archive, environment, clock: () => NOW });
        expect((await single.usage({ by: ["agent"] })).rows).toEqual(rows);
        await single.close();
        return rows[0];
      }),
    );
    // Costs are rounded so that rows add up to their total, and the totals differ here.
    const plain = (rows: readonly (UsageRow | undefined)[]): unknown[] =>
      rows
        .map((row) => ({ ...row, costMicroUsd: 0 }))
        .toSorted((single, other) => ((single.key ?? "") < (other.key ?? "") ? -1 : 1));
    expect(plain(together.rows)).toEqual(plain(alone));
    const { sessions } = await kept.sessions();
    const here = sessions.filter(({ project }) => project.path === "/home/ada/projects/ledger");
    expect(new Set(here.map(({ source }) => source))).toEqual(new Set(MIXED_AGENTS));
    expect(new Set(sessions.map(({ source, id }) => `${source} ${id}`)).size).toBe(sessions.length);
  });

  test("gives the same sums from the archive, a full reading and a reading for usage", async () => {
    const { kept, full, usage } = await threeWays();
    for (const by of [["day"], ["agent", "model"], ["month", "day"], ["root"]] as const) {
      const expected = await full.usage({ by });
      expect(await usage.usage({ by })).toEqual(expected);
      expect(await kept.usage({ by })).toEqual(expected);
    }
  });

  test("gives the same lists and reports from the archive as from the disk", async () => {
    const { kept, full } = await threeWays();
    expect(await kept.sessions()).toEqual(await full.sessions());
    expect(await kept.tools()).toEqual(await full.tools());
    const { atRisk: _kept, ...overview } = await kept.overview(NOW, "UTC");
    const { atRisk: _full, ...expected } = await full.overview(NOW, "UTC");
    expect(overview).toEqual(expected);
    for (const { id } of (await full.sessions()).sessions) {
      expect(await kept.transcript(id)).toEqual(await full.transcript(id));
    }
  });

  test("explains every session down to a line of its file", async () => {
    const { full } = await threeWays();
    for (const { id, tokens } of (await full.sessions()).sessions) {
      const explained = await full.explain(id);
      const own = explained.requests.filter(({ sessionId }) => sessionId === id);
      const sum = own.reduce((total, request) => total + request.tokens.total, 0);
      expect([id, sum]).toEqual([id, tokens.total ?? 0]);
      for (const { place, recorded } of own) {
        expect(place.line).toBeGreaterThan(0);
        expect(recorded).not.toBeNull();
      }
    }
  });

  test("accepts an agent's id or its short name in every query", async () => {
    const { full } = await threeWays();
    const names = {
      claude: "claude-code",
      codex: "codex",
      gemini: "gemini-cli",
      qwen: "qwen-code",
    };
    for (const [name, id] of Object.entries(names)) {
      const { sessions } = await full.sessions({ source: name });
      expect(new Set(sessions.map(({ source }) => source))).toEqual(new Set([id]));
      const { requests } = await full.explain("2026-11", "UTC", { source: name });
      expect(new Set(requests.map(({ source }) => source))).toEqual(new Set([id]));
      const latest = await full.explain("latest", "UTC", { source: name });
      expect(sessions.map((session) => session.id)).toContain(latest.key);
      const { agents } = await full.doctor(NOW, { source: name });
      expect(agents.map(({ source }) => source)).toEqual([id]);
      const found = await full.search("ledger", { filter: { source: name, limit: 5 } });
      expect(found.hits.every(({ source }) => source === id)).toBe(true);
    }
    await expect(full.sessions({ source: "nobody" })).rejects.toThrow('Unknown agent "nobody"');
  });

  test("reads a single agent when the library is opened for it", async () => {
    const roots = [mixedHome(1)];
    const library = open({ roots, environment, agent: "codex" });
    expect(await library.agents()).toMatchObject([{ id: "codex" }]);
    const { rows } = await library.usage({ by: ["agent"] });
    expect(rows.map(({ key }) => key)).toEqual(["codex"]);
  });
});

describe("every export of every agent", () => {
  test("has the same token totals as the report", async () => {
    const { full } = await threeWays();
    for (const { id, tokens } of (await full.sessions()).sessions) {
      const total = tokens.total ?? 0;
      let events = 0;
      for await (const event of full.events(id, { with: ["usage"] })) {
        if (event.type === "usage") events += event.tokens.total ?? 0;
      }
      expect([id, events]).toEqual([id, total]);
      expect([id, await sumOfColumn(full, id, "total_tokens")]).toEqual([id, total]);
      const { final_metrics: sums } = JSON.parse(await exported(full, id, "atif")) as {
        final_metrics: { total_prompt_tokens: number; total_completion_tokens: number };
      };
      expect([id, sums.total_prompt_tokens + sums.total_completion_tokens]).toEqual([id, total]);
    }
  });
});

async function exported(library: Library, id: string, to: string): Promise<string> {
  let text = "";
  for await (const file of library.export({ ids: [id] }, { to, nowMs: NOW })) {
    for await (const chunk of file.chunks) text += chunk.toString();
  }
  return text;
}

/** Works only if the last columns of the CSV contain no line breaks and no commas. */
async function sumOfColumn(library: Library, id: string, name: string): Promise<number> {
  const rows = (await exported(library, id, "csv")).split("\r\n");
  const at = (rows[0] ?? "").split(",").toReversed().indexOf(name);
  const cells = rows.slice(1).map((row) => row.split(",").toReversed()[at] ?? "");
  return cells.reduce((sum, cell) => sum + (/^\d+$/.test(cell) ? Number(cell) : 0), 0);
}
