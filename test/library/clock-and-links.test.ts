import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { machineClock } from "../../src/library/clock.ts";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import { run } from "../cli/run.ts";

const NOW = Date.UTC(2026, 10, 16);
const DAY = 86_400_000;
const environment = { env: {}, homeDir: "/home/ada" };

function reply(number: number): string {
  const tokens = { input: 10, output: 1, cached: 0, thoughts: 0, tool: 0, total: 11 };
  const timestamp = new Date(NOW + number).toISOString();
  const said = { id: `m${number}`, timestamp, type: "gemini", content: "x", model: "m", tokens };
  return `${JSON.stringify(said)}\n`;
}

function header(id: string): string {
  return `${JSON.stringify({ sessionId: id, projectHash: "h", startTime: "2026-11-15T00:00:00Z" })}\n`;
}

/** A folder with a home that has one session for each of the named projects. */
function homeWith(projects: readonly string[]): { folder: string; root: string; files: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "pollux-odd-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "real", ".gemini");
  const files = projects.map((project, number) => {
    const chats = join(root, "tmp", project, "chats");
    mkdirSync(chats, { recursive: true });
    writeFileSync(join(root, "tmp", project, ".project_root"), `/home/ada/${project}`);
    const file = join(chats, `session-2026-11-15T00-00-${project}.jsonl`);
    writeFileSync(file, header(project) + reply(number));
    return file;
  });
  return { folder, root, files };
}

async function requestsIn(library: Library): Promise<number> {
  const { totals } = await library.usage({});
  await library.close();
  return totals.requests;
}

test("machineClock follows the system time when it is changed", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  onTestFinished(() => void vi.useRealTimers());
  expect(machineClock()).toBe(NOW);
  vi.setSystemTime(NOW - DAY);
  expect(machineClock()).toBe(NOW - DAY);
});

test("a clock that is set back loses nothing and counts nothing twice", async () => {
  const { folder, root, files } = homeWith(["ledger"]);
  const archive = join(folder, "archive.db");
  const at = (nowMs: number): Library => {
    return open({ roots: [root], archive, environment, clock: () => nowMs });
  };
  let said = 1;
  for (const nowMs of [NOW, NOW - DAY, NOW + DAY, NOW - 30 * DAY, NOW - 30 * DAY]) {
    const library = at(nowMs);
    await library.keep(nowMs);
    expect(await requestsIn(library)).toBe(said);
    appendFileSync(files[0] ?? "", reply((said += 1)));
    utimesSync(files[0] ?? "", nowMs / 1000, nowMs / 1000);
  }
  expect(await requestsIn(at(NOW - 60 * DAY))).toBe(said);
});

test("a root given through a symbolic link is the same root", async () => {
  const { folder, root } = homeWith(["ledger", "bakery"]);
  const link = join(folder, "linked");
  symlinkSync(root, link, "junction");
  for (const roots of [[link], [root, link], [link, root]]) {
    const archive = join(folder, `archive-${roots.length}-${roots.indexOf(link)}.db`);
    expect(await requestsIn(open({ roots, environment }))).toBe(2);
    const library = open({ roots, archive, environment });
    await library.keep(NOW);
    expect(await requestsIn(library)).toBe(2);
  }
});

test("shares in the overview are of all projects, not only of the rows shown", async () => {
  const projects = Array.from({ length: 20 }, (_, number) => `project${number}`);
  const { root, files } = homeWith(projects);
  const priced = (text: string): string => text.replace('"model":"m"', '"model":"gemini-2.5-pro"');
  files.forEach((file, number) =>
    writeFileSync(file, header(`p${number}`) + priced(reply(number))),
  );
  const { out } = await run(["--root", root, "--fresh"], {
    now: new Date(NOW + DAY / 2),
    columns: 120,
  });
  const shares = [...out.matchAll(/project\d+ .*?(\d+)%/g)].map(([, share]) => Number(share));
  expect(shares.length).toBeGreaterThan(3);
  expect(new Set(shares)).toEqual(new Set([5]));
});
