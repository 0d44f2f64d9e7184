import { useEffect, useRef, useState } from "preact/hooks";
import type { SessionSummary } from "../../src/index.ts";
import { address, go, hrefOf, hrefWith } from "../address.ts";
import type { FoundHit, FoundTexts } from "../answers.ts";
import type { AskError } from "../ask.ts";
import { useAnswer } from "../ask.ts";
import { counted, exact, when } from "../figures.ts";
import { StatusBadge } from "../parts/badges.tsx";
import { Pick } from "../parts/pick.tsx";
import { Failed, Pending } from "../parts/states.tsx";
import { safeText } from "../safe-text.ts";

const TYPING_MS = 160;
const MOST = "100";
const PLACES = ["prompts", "answers", "thoughts", "tools"];

/** Finds what was said, while it is typed. */
export default function Search() {
  const { query } = address.value;
  const words = (query.get("q") ?? "").trim();
  const narrow = { project: query.get("project"), in: query.get("in") };
  const lack = words === "" ? undefined : lackOf(words);
  const isAsked = words !== "" && lack === undefined;
  const request = isAsked ? hrefOf("/api/search", { q: words, ...narrow, limit: MOST }) : undefined;
  const { value, error, isWaiting } = useAnswer<FoundTexts>(request);
  return (
    <>
      <div class="page-head">
        <h1>Search</h1>
        <p class="soft small" role="status">
          {value && isAsked && !isWaiting ? summary(value) : ""}
        </p>
      </div>
      <Words given={words} />
      {words === "" && (
        <p class="blank">
          Words, parts of words, a path, an error: whatever was typed, answered or printed.
        </p>
      )}
      {lack !== undefined && <p class="blank">{lack}</p>}
      {isAsked && error && <Unanswered error={error} />}
      {isAsked && value && (
        <Pending isWaiting={isWaiting}>
          {value.hits.length === 0 && !isWaiting && <p class="blank">Nothing was found.</p>}
          {value.sessions.map((session) => (
            <Group
              key={session.id}
              session={session}
              words={words}
              hits={value.hits.filter(({ sessionId }) => sessionId === session.id)}
            />
          ))}
        </Pending>
      )}
    </>
  );
}

/** What a query still lacks. A phrase that is being typed is nothing to trouble the server with. */
function lackOf(words: string): string | undefined {
  if (words.split('"').length % 2 === 0) return "A quoted phrase begins and does not end.";
  const bare = words.replaceAll(/"[^"]*"/g, "x");
  if (bare.split("(").length !== bare.split(")").length) return "A bracket has no counterpart.";
  if (/(^|\s)(AND|OR|NOT)$/.test(words)) return "Something to search for is missing at the end.";
  if (/^(AND|OR)\s/.test(words)) return "Something to search for is missing at the beginning.";
  if (/\(\s*\)/.test(bare)) return 'There is nothing between ( and ): try it without, or "quoted".';
  if (!/[\p{L}\p{N}]/u.test(words)) return "There is no letter and no digit to search for.";
  return undefined;
}

/** A query that is not understood is still being typed, mostly: no reason to be alarmed. */
function Unanswered({ error }: { error: AskError }) {
  if (error.code !== "bad-query") return <Failed error={error} />;
  return (
    <p class="blank">
      {error.message} <span class="soft">{error.remedy}</span>
    </p>
  );
}

function summary({ total, sessions, tookMs }: FoundTexts): string {
  const found = `${counted(total, "hit")} in ${counted(sessions.length, "session")}`;
  return `${found}, ${exact(Math.round(tookMs))} ms`;
}

function Words({ given }: { given: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(given);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (text.trim() === given) return undefined;
    const timer = setTimeout(() => go(hrefWith({ q: text.trim() }), "replace"), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { query } = address.value;
  return (
    <div class="filters" role="search">
      <input
        ref={field}
        class="field grow"
        type="search"
        data-search
        aria-label="Search"
        placeholder="Search everything that was said"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Pick
        label="In"
        name="in"
        chosen={query.get("in") ?? ""}
        options={PLACES.map((value) => ({ value, label: value }))}
      />
      {query.get("project") && (
        <a class="button" href={hrefWith({ project: undefined })}>
          {query.get("project")} ×
        </a>
      )}
    </div>
  );
}

interface GroupProps {
  session: SessionSummary;
  hits: readonly FoundHit[];
  words: string;
}

function Group({ session, hits, words }: GroupProps) {
  return (
    <section class="found" aria-label={session.title ?? session.id}>
      <a href={`/sessions/${encodeURIComponent(session.id)}`} dir="auto">
        <strong>{safeText(session.title ?? "Untitled")}</strong>
      </a>{" "}
      <span class="soft small">
        {safeText(session.project.name)} · {when(session.updatedAt)}{" "}
        <StatusBadge status={session.status} />
      </span>
      {hits.map((hit, at) => (
        <a key={at} class="hit" href={linkOf(hit, words)} dir="auto">
          <span class="badge">{hit.role}</span>{" "}
          {hit.standing !== "live" && <span class="badge warn">taken back</span>}{" "}
          <Marked text={hit.snippet} marks={hit.marks} />
        </a>
      ))}
    </section>
  );
}

/** To the message itself, where the words are marked. */
function linkOf({ sessionId, messageId }: FoundHit, words: string): string {
  const session = hrefOf(`/sessions/${encodeURIComponent(sessionId)}`, { find: words });
  return messageId === null ? session : `${session}#m-${encodeURIComponent(messageId)}`;
}

/** A text with what was searched marked in it. */
function Marked({ text, marks }: { text: string; marks: FoundHit["marks"] }) {
  const parts = [];
  let at = 0;
  for (const [start, end] of marks) {
    parts.push(safeText(text.slice(at, start)));
    parts.push(<mark>{safeText(text.slice(start, end))}</mark>);
    at = end;
  }
  return (
    <>
      {parts}
      {safeText(text.slice(at))}
    </>
  );
}
