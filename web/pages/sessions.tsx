import { useEffect, useState } from "preact/hooks";
import type { UsageReport } from "../../src/index.ts";
import { address, go, hrefOf, hrefWith } from "../address.ts";
import type { About, AnnotatedThings } from "../answers.ts";
import { useAnswer, usageOfAllTime } from "../ask.ts";
import { exact, timezone } from "../figures.ts";
import { Chip } from "../parts/chips.tsx";
import { PeriodChoice } from "../parts/period-choice.tsx";
import { PickAgent } from "../parts/agents.tsx";
import { Pick } from "../parts/pick.tsx";
import { Empty, Failed, Skeleton } from "../parts/states.tsx";
import { spanOf } from "../period.ts";
import type { KindWithoutSession } from "./without-session.tsx";
import { WithoutSession } from "./without-session.tsx";
import { Selection } from "./selection.tsx";
import { SessionRows } from "./session-rows.tsx";

const STATUSES = ["success", "failure", "interrupted", "cancelled", "empty", "stub"];
const CALLS = ["tool", "command", "server", "path", "outcome"] as const;
const FILTERS = [
  "q",
  "agent",
  "project",
  "model",
  "status",
  "kind",
  "tag",
  "starred",
  ...CALLS,
] as const;

/** All sessions, filtered and sorted. */
export default function Sessions() {
  const { query } = address.value;
  const about = useAnswer<About>("/api/about");
  const nowMs = Date.parse(about.value?.now ?? "") || 0;
  const span = spanOf(query, new Date(nowMs), "all");
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name)]));
  const asked = { ...filters, ...span, timezone };
  const order = query.get("order") ?? "updated";
  const direction = query.get("direction") ?? "down";
  const list = hrefOf("/api/sessions", { ...asked, order, direction });
  const [counted, setCounted] = useState<{ list: string; total: number } | undefined>(undefined);
  // The count of another request does not apply to this one.
  const total = counted?.list === list ? counted.total : undefined;
  const isFiltered = Object.values({ ...filters, ...span }).some(Boolean);
  if (about.error && !about.value) return <Failed error={about.error} isPage />;
  if (total === 0 && !isFiltered) return <Empty />;
  return (
    <>
      <div class="page-head">
        <h1>
          Sessions{" "}
          <span class="soft" role="status">
            {total === undefined || isWithoutSession(filters["kind"]) ? "" : exact(total)}
          </span>
        </h1>
        <div class="filters">
          <PeriodChoice usual="all" />
        </div>
      </div>
      <Filters />
      <Selection />
      {!about.value && !about.error && <Skeleton lines={8} />}
      {about.value && isWithoutSession(filters["kind"]) && (
        <WithoutSession request={hrefOf("/api/sessions", asked)} kind={filters["kind"]} />
      )}
      {about.value && !isWithoutSession(filters["kind"]) && (
        <SessionRows
          request={list}
          order={order}
          direction={direction}
          nowMs={nowMs}
          counted={(count) => setCounted({ list, total: count })}
        />
      )}
    </>
  );
}

function isWithoutSession(kind: string | null | undefined): kind is KindWithoutSession {
  return kind === "saved-chat" || kind === "prompt-log";
}

function Filters() {
  const { query } = address.value;
  const projects = useAnswer<UsageReport>(usageOfAllTime("project"));
  const models = useAnswer<UsageReport>(usageOfAllTime("model"));
  const own = useAnswer<AnnotatedThings>("/api/annotations", "sessions").value;
  const tags = own?.tags ?? [];
  const hasStars = own?.things.some((thing) => thing.own?.isStarred) ?? false;
  const options = (report: UsageReport | undefined) =>
    (report?.rows ?? []).map(({ key, label }) => ({ value: key, label: label ?? key }));
  const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  const isNarrowed = [...FILTERS, "since", "until"].some((name) => query.get(name));
  return (
    <div class="filters" role="search">
      <Words />
      <PickAgent />
      <Pick
        label="Project"
        name="project"
        chosen={query.get("project") ?? ""}
        options={options(projects.value)}
      />
      <Pick
        label="Model"
        name="model"
        chosen={query.get("model") ?? ""}
        options={options(models.value)}
      />
      <Pick
        label="Status"
        name="status"
        chosen={query.get("status") ?? ""}
        options={plain(STATUSES)}
      />
      <Pick
        label="Kind"
        name="kind"
        chosen={query.get("kind") ?? ""}
        options={plain(["main", "subagent", "saved-chat", "prompt-log"])}
      />
      {tags.length > 0 && (
        <Chip
          name="tag"
          label="Tag"
          options={tags.map(({ tag }) => ({ value: tag, label: `#${tag}` }))}
        />
      )}
      {hasStars && (
        <Chip name="starred" label="Starred" options={[{ value: "yes", label: "yes" }]} />
      )}
      {CALLS.filter((name) => query.get(name)).map((name) => (
        <Chip key={name} name={name} label={name} />
      ))}
      {isNarrowed && (
        <a class="button bare" href="/sessions">
          Clear
        </a>
      )}
    </div>
  );
}

const TYPING_MS = 150;

/** Filters by part of a title, project or id, while typing. */
function Words() {
  const given = address.value.query.get("q") ?? "";
  const [text, setText] = useState(given);
  useEffect(() => setText(given), [given]);
  useEffect(() => {
    if (text === given) return undefined;
    const timer = setTimeout(() => go(hrefWith({ q: text }), "replace"), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      class="field grow"
      type="search"
      data-search
      aria-label="Title, project or id"
      placeholder="Title, project or id"
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}
