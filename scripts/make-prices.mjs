// Writes prices/google.json from the installed @pydantic/genai-prices. Run it after raising that
// package: `node scripts/make-prices.mjs`. The table is never edited by hand; `--check` compares.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProvider } from "@pydantic/genai-prices";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = join(root, "prices", "google.json");
/** Packages do not tell when they were published; this is the day of the version below. */
const PUBLISHED = { version: "0.1.8", date: "2026-09-23" };

/** Names that mean another model than they seem to, or no single one. */
const ALIASES = [
  {
    id: "gemini-3-flash",
    as: "gemini-3.5-flash",
    why: "Gemini CLI 0.45 and later use both names for 3.5 Flash",
  },
];
const ROUTED = "a choice left to the router; which model answered was not recorded";
const UNPRICED = [
  { match: { or: [{ equals: "auto" }, { starts_with: "auto-" }] }, why: ROUTED },
  {
    match: { or: [{ equals: "pro" }, { equals: "flash" }, { equals: "flash-lite" }] },
    why: ROUTED,
  },
  { match: { equals: "none" }, why: "no model was recorded" },
];
/** Added to a model's name without changing its price. */
const SUFFIXES = ["-customtools"];

/** Other media are priced by other units than the tokens that sessions record. */
const NOT_TEXT = /embedding|image|tts|live|omni|audio|vision/;

const table = {
  note: "Made by scripts/make-prices.mjs, not by hand. Micro-dollars per million tokens.",
  source: `@pydantic/genai-prices ${PUBLISHED.version}`,
  date: PUBLISHED.date,
  models: findProvider({ providerId: "google" })
    .models.filter(({ id }) => /^gem(ini|ma)/.test(id) && !NOT_TEXT.test(id))
    .map(({ id, match, prices }) => ({ id, match, prices: datedPrices(id, prices) })),
  aliases: ALIASES,
  suffixes: SUFFIXES,
  unpriced: UNPRICED,
};

const manifest = join(root, "node_modules", "@pydantic", "genai-prices", "package.json");
const { version } = JSON.parse(readFileSync(manifest, "utf8"));
if (version !== PUBLISHED.version) {
  throw new Error(`Version ${version} is installed: set PUBLISHED to it and to its date.`);
}
const text = `${JSON.stringify(table, undefined, 2)}\n`;
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== text)
    throw new Error("prices/google.json is not up to date.");
} else {
  writeFileSync(target, text);
}

/** Oldest first; the first has no date and holds from the beginning. */
function datedPrices(id, prices) {
  const listed = Array.isArray(prices) ? prices : [{ prices }];
  return listed.map(({ constraint, prices: one }) => {
    if (constraint && constraint.type !== "start_date") {
      throw new Error(`${id} is priced by ${constraint.type}, which a table cannot hold.`);
    }
    return { ...(constraint ? { from: constraint.start_date } : {}), ...rates(id, one) };
  });
}

/** Without a price of its own, a cached token costs what any other costs. No price at all: free. */
function rates(id, prices) {
  const {
    input_mtok: input = 0,
    output_mtok: output = 0,
    cache_read_mtok: cached = input,
  } = prices;
  const base = { input: micro(input), cached: micro(cached), output: micro(output) };
  const tiers = [input, cached, output].flatMap((price) => price.tiers ?? []);
  const starts = new Set(tiers.map(({ start }) => start));
  if (starts.size > 1) throw new Error(`${id} has more than one tier.`);
  const [tokens] = starts;
  if (tokens === undefined) return base;
  const above = { input: top(input), cached: top(cached), output: top(output) };
  return { ...base, above: { tokens, ...above } };
}

function micro(price) {
  return exact(price.base ?? price);
}

function top(price) {
  return exact(price.tiers?.[0]?.price ?? price.base ?? price);
}

function exact(usd) {
  const value = Math.round(usd * 1e6);
  if (Math.abs(value - usd * 1e6) > 1e-6) throw new Error(`${usd} is finer than a micro-dollar.`);
  return value;
}
