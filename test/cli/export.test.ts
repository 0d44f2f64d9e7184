import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { header, jsonl, user } from "../samples/home.ts";
import { AGENT, AGENT_FILE, TOUR, TOUR_FILE, TOUR_ID } from "../samples/tour.ts";
import { makeRoot, run } from "./run.ts";

const SECRET = `AI${"za"}SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q`;
const KEYS = jsonl(
  header("77777777-0000-4000-8000-000000000000"),
  user("u1", 1, `The key ${SECRET} is mine`),
);

const root = makeRoot({
  [`tmp/ledger/${TOUR_FILE}`]: TOUR,
  [`tmp/ledger/${AGENT_FILE}`]: AGENT,
  "tmp/ledger/chats/session-2026-02-10T17-28-77777777.jsonl": KEYS,
  "tmp/ledger/checkpoint-my%20tag.json": JSON.stringify([
    { role: "user", parts: [{ text: "saved prompt" }] },
    { role: "model", parts: [{ text: "saved answer" }] },
  ]),
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "pollux-out-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const pollux = (...args: string[]): ReturnType<typeof run> => run(["--root", root, ...args]);

describe("pollux events", () => {
  test("prints one JSON object per line", async () => {
    const { code, out } = await pollux("events", TOUR_ID);
    const events = out
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(code).toBe(0);
    expect([events[0], events.at(-1), events.length]).toEqual(["session_start", "session_end", 17]);
  });

  test("adds events with --with, and rejects unknown values", async () => {
    const { out } = await pollux("events", TOUR_ID, "--with", "text, usage", "--live");
    expect(out).toContain('"type":"model_text"');
    expect(out).toContain('"type":"usage"');
    expect(out).not.toContain('"standing":"rewound"');
    const wrong = await pollux("events", TOUR_ID, "--with", "smells");
    expect([wrong.code, wrong.out]).toEqual([2, ""]);
    expect(wrong.err).toContain("text, thoughts, usage");
  });

  test("accepts a saved chat by its tag", async () => {
    const { code, out } = await pollux("events", "my tag", "--with", "text");
    expect(code).toBe(0);
    expect(out).toContain('"text":"saved prompt"');
    expect(out).toContain('"derivedFrom":"file-time"');
    expect((await pollux("events", "no tag")).code).toBe(3);
  });
});

describe("pollux export", () => {
  test("prints one session", async () => {
    const { code, out, err } = await pollux("export", "08c1", "--to", "markdown");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^# Make total\(\) accept empty lists\n/);
  });

  test.skipIf(process.platform === "win32")(
    "is readable by its owner only, unless it is masked (Windows has no such modes)",
    async () => {
      const modeOf = (path: string): number => statSync(path).mode & 0o077;
      const [plain, masked, record] = ["plain", "masked", "record"].map((name) =>
        join(folder(), name),
      );
      process.umask(0o022);
      await pollux("export", TOUR_ID, "--to", "html", "--out", plain ?? "");
      await pollux("export", TOUR_ID, "--to", "html", "--share", "--out", masked ?? "");
      await pollux("record", TOUR_ID, "--out", record ?? "");
      expect([plain, masked, record].map((path) => modeOf(path ?? ""))).toEqual([0, 0o044, 0]);
    },
  );

  test("overwrites a file only with --force", async () => {
    const path = join(folder(), "deep", "page.html");
    const args = ["export", TOUR_ID, "--to", "html", "--out", path];
    const first = await pollux(...args);
    expect([first.code, first.out]).toEqual([0, ""]);
    expect(first.err).toContain("page.html");
    writeFileSync(path, "mine");
    const second = await pollux(...args);
    expect(second.code).toBe(1);
    expect(second.err).toContain("--force");
    expect(readFileSync(path, "utf8")).toBe("mine");
    expect((await pollux(...args, "--force")).code).toBe(0);
    expect(readFileSync(path, "utf8")).toMatch(/^<!doctype html>/);
    expect(readdirSync(join(path, ".."))).toEqual(["page.html"]);
  });

  test("writes matching sessions into a folder, and lists the files as JSON", async () => {
    const out = folder();
    const { code, out: actual } = await pollux(
      "export",
      "--to",
      "atif",
      "--kind",
      "main",
      "--out",
      `${out}/`,
      "--json",
    );
    expect(code).toBe(0);
    const { files } = JSON.parse(actual) as { files: { path: string; sessions: string[] }[] };
    expect(files.map(({ sessions }) => sessions.length)).toEqual([1, 1]);
    expect(readdirSync(out).toSorted()).toEqual([
      "2026-02-10-ledger-gemini-cli-08c1f87b.atif.json",
      "2026-02-10-ledger-gemini-cli-77777777.atif.json",
    ]);
  });

  test("writes one file per table, also binary ones", async () => {
    const out = folder();
    expect((await pollux("export", "--to", "parquet", "--out", out)).code).toBe(0);
    expect(readdirSync(out).toSorted()).toEqual(["messages.parquet", "usage.parquet"]);
    expect(readFileSync(join(out, "usage.parquet")).subarray(0, 4).toString()).toBe("PAR1");
    const printed = await pollux("export", TOUR_ID, "--to", "parquet");
    expect([printed.code, printed.out]).toEqual([2, ""]);
  });

  test("masks with --share and --redact, and reports when nothing was masked", async () => {
    const shared = await pollux("export", "7777", "--to", "markdown", "--share");
    expect(shared.out).toContain("secret:google-api-key#1");
    expect(shared.out).not.toContain(SECRET);
    expect(shared.err).toContain("masked: 1 secret");
    const plain = await pollux("export", "7777", "--to", "markdown");
    expect(plain.out).toContain(SECRET);
    const path = join(folder(), "x.json");
    const json = await pollux("export", "7777", "--to", "json", "--share", "--out", path);
    expect(json.err).toContain("Nothing was masked");
    const redacted = await pollux("export", "7777", "--to", "json", "--redact");
    expect(redacted.out).not.toContain(SECRET);
  });

  test("rejects invalid arguments", async () => {
    expect((await pollux("export", TOUR_ID)).code).toBe(2);
    expect((await pollux("export", "--to", "json")).code).toBe(2);
    expect((await pollux("export", TOUR_ID, "--to", "pdf")).code).toBe(2);
    expect((await pollux("export", TOUR_ID, "--to", "json", "--json")).code).toBe(2);
    expect((await pollux("export", "nothing", "--to", "json")).code).toBe(3);
    const out = join(folder(), "x.md");
    expect((await pollux("export", "--to", "markdown", "--out", out)).code).toBe(1);
    expect(existsSync(out)).toBe(false);
  });
});

describe("pollux secrets", () => {
  test("lists kinds and places of secrets, never their values", async () => {
    const { code, out } = await pollux("secrets");
    expect(code).toBe(0);
    expect(out).toContain("[secret:google-api-key#1]  AIza… (39 characters)");
    expect(out).toMatch(/77777777 {2}text {2}.*session-2026-02-10T17-28-77777777\.jsonl:2/);
    expect(out).not.toContain(SECRET.slice(0, 10));
    const json = await pollux("secrets", "7777", "--json");
    expect(JSON.parse(json.out)).toMatchObject({ sessions: 1, secrets: [{ length: 39 }] });
    expect(json.out).not.toContain(SECRET.slice(0, 10));
  });

  test("reports that there are none", async () => {
    const { out } = await pollux("secrets", TOUR_ID);
    expect(out).toContain("No secrets were found.");
  });
});
