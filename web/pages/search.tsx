import { useEffect, useRef, useState } from "preact/hooks";
import type { UsageReport } from "../../src/index.ts";
import { address, go, hrefOf, hrefWith } from "../address.ts";
import type { FoundTexts } from "../answers.ts";
import type { AskError } from "../ask.ts";
import { useAnswer, usageOfAllTime } from "../ask.ts";
import { exact, timezone } from "../figures.ts";
import { foundText } from "../found-text.ts";
import { agents } from "../parts/agents.tsx";
import { Chip } from "../parts/chips.tsx";
import { FoundElsewhere, FoundSessions } from "../parts/found-sessions.tsx";
import { DayRange } from "../parts/period-choice.tsx";
import { Failed, Pending, Skeleton } from "../parts/states.tsx";
import { safeText } from "../safe-text.ts";

const TYPING_MS = 160;
const MOST = "100";
const FILTERS = ["project", "agent", "model", "in", "tool", "path", "since", "until"];
const ROLES = ["prompts", "answers", "thoughts", "tools", "notes"].map((value) => {
  return { value, label: value };
});

/** Full-text search while typing. */
export default function Search() {
  const { query } = address.value;
  const words = (query.get("q") ?? "").trim();
  const narrow = Object.fromEntries(FILTERS.map((name) => [name, query.get(name)]));
  const lack = words === "" ? undefined : lackOf(words);
  const isAsked = words !== "" && lack === undefined;
  const asked = { q: words, ...narrow, limit: MOST, timezone };
  const found = useAnswer<FoundTexts>(isAsked ? hrefOf("/api/search", asked) : undefined);
  const { value, isWaiting } = found;
  return (
    <>
      <div class="page-head">
        <h1>Search</h1>
        <p class="soft small" role="status">
          {value && isAsked && !isWaiting ? summary(value) : ""}
        </p>
      </div>
      <Words given={words} />
      <Chips />
      {words === "" && (
        <p class="blank">
          Search prompts, answers, commands and their output: words, paths, errors.
        </p>
      )}
      {lack !== undefined && <p class="blank">{lack}</p>}
      {isAsked && found.error && <Unanswered error={found.error} />}
      {isAsked && !value && !found.error && <Skeleton lines={8} />}
      {isAsked && value && (
        <Pending isWaiting={isWaiting}>
          {value.hits.length === 0 && !isWaiting && <Nothing found={value} />}
          <FoundSessions found={value} words={words} />
        </Pending>
      )}
      {isAsked && <FoundElsewhere asked={asked} />}
    </>
  );
}

/** Why a query is incomplete. Unfinished phrases are not sent to the server. */
function lackOf(words: string): string | undefined {
  if (words.split('"').length % 2 === 0) return "A quoted phrase is not closed.";
  const bare = words.replaceAll(/"[^"]*"/g, "x");
  if (bare.split("(").length !== bare.split(")").length) return "A parenthesis is not closed.";
  if (/(^|\s)(AND|OR|NOT)$/.test(words)) return "A word is missing at the end.";
  if (/^(AND|OR)\s/.test(words)) return "A word is missing at the beginning.";
  if (/\(\s*\)/.test(bare)) return "Nothing between ( and ): remove them, or put them in quotes.";
  if (!/[\p{L}\p{N}]/u.test(words)) return "Type at least one letter or digit.";
  return undefined;
}

/** An invalid query is usually still being typed, so it is not shown as an error. */
function Unanswered({ error }: { error: AskError }) {
  if (error.code !== "bad-query") return <Failed error={error} />;
  return (
    <p class="blank">
      {error.message} <span class="soft">{error.remedy}</span>
    </p>
  );
}

/** No results: shows suggestions. */
function Nothing({ found: { suggestions } }: { found: FoundTexts }) {
  const isNarrow = FILTERS.some((name) => address.value.query.get(name));
  return (
    <div class="blank">
      <p>No matches.</p>
      {suggestions.length > 0 && (
        <p>
          Did you mean{" "}
          {suggestions.map((word, at) => (
            <>
              {at > 0 && ", "}
              <a key={word} href={hrefWith({ q: word })}>
                {safeText(word)}
              </a>
            </>
          ))}
          ?
        </p>
      )}
      {isNarrow && (
        <p>
          <a href={hrefWith(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}>
            Search without filters
          </a>
        </p>
      )}
    </div>
  );
}

function summary(found: FoundTexts): string {
  return `${foundText(found)}, ${exact(Math.round(found.tookMs))} ms`;
}

function Words({ given }: { given: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(given);
  useEffect(() => field.current?.focus(), []);
  // The query was changed elsewhere: by a suggestion or the back button.
  useEffect(() => setText((before) => (before.trim() === given ? before : given)), [given]);
  useEffect(() => {
    if (text.trim() === given) return undefined;
    const timer = setTimeout(() => go(hrefWith({ q: text.trim() }), "replace"), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="filters" role="search">
      <input
        ref={field}
        class="field grow"
        type="search"
        data-search
        aria-label="Search"
        placeholder="Search all conversations"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </div>
  );
}

/** The filters of the command line. */
function Chips() {
  const projects = useAnswer<UsageReport>(usageOfAllTime("project")).value?.rows ?? [];
  const models = useAnswer<UsageReport>(usageOfAllTime("model")).value?.rows ?? [];
  const named = (rows: UsageReport["rows"]) =>
    rows.map(({ key, label }) => ({ value: key, label: label ?? key }));
  return (
    <div class="filters" role="group" aria-label="Filters">
      <Chip name="project" label="Project" options={named(projects)} />
      {agents.value.length > 1 && (
        <Chip
          name="agent"
          label="Agent"
          options={agents.value.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <Chip name="model" label="Model" options={named(models)} />
      <Chip name="in" label="In" options={ROLES} />
      <Chip name="tool" label="Tool" />
      <Chip name="path" label="Path" />
      <DayRange />
    </div>
  );
}
