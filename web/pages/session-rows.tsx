import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SessionList, SessionSummary } from "../../src/index.ts";
import { hrefOf, hrefWith, nameOf, sessionHref } from "../address.ts";
import type { AtRisk, Costs } from "../answers.ts";
import { ask, AskError, generation } from "../ask.ts";
import { ago, brief, exact, exactMoney, money, when } from "../figures.ts";
import { Badges, StatusBadge } from "../parts/badges.tsx";
import { masking } from "../masking.ts";
import { ProjectLink } from "../parts/project-link.tsx";
import { useRowKeys } from "../parts/row-keys.ts";
import { Failed, Skeleton } from "../parts/states.tsx";
import { safeText } from "../safe-text.ts";
import { isPicked, pick } from "./selection.tsx";

const ROW_PX = 56;
const PAGE = 100;
/** Extra rows drawn above and below the visible ones. */
const SPARE = 8;

export interface SessionRowsProps {
  /** The request, without its page. */
  request: string;
  order: string;
  direction: string;
  nowMs: number;
  /** Called with the total as soon as it is known. */
  counted: (total: number) => void;
}

interface Row {
  session: SessionSummary;
  costMicroUsd: number | null | undefined;
  isAtRisk?: boolean | undefined;
}

/** Requests and draws only the visible rows, so that a list may have any length. */
export function SessionRows(props: SessionRowsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const { rows, total, error, isWaiting, want } = usePages(props.request);
  useEffect(() => {
    if (total !== undefined && !isWaiting) props.counted(total);
  }, [total, isWaiting]);
  useEffect(() => frame.current?.scrollTo(0, 0), [props.request]);
  const first = Math.max(0, Math.floor(view.top / ROW_PX) - SPARE);
  const last = Math.min(total ?? 0, Math.ceil((view.top + view.height) / ROW_PX) + SPARE);
  useEffect(() => {
    if (!isWaiting) want(first, last);
  }, [first, last, rows, isWaiting]);
  useRowKeys(frame);
  if (error) return <Failed error={error} />;
  const numbers = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
  return (
    <div
      class="list"
      ref={frame}
      role="table"
      aria-label="Sessions"
      aria-rowcount={(total ?? 0) + 1}
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight });
      }}
    >
      <Head order={props.order} direction={props.direction} />
      {total === undefined && (
        <OnlyCell>
          <Skeleton lines={10} />
        </OnlyCell>
      )}
      {isWaiting && total !== undefined && (
        <p class="pending-mark badge accent" role="status">
          Updating…
        </p>
      )}
      {/* While waiting, rows of the previous request are visible but inert. */}
      <div
        class={isWaiting ? "list-body fade pending" : "list-body fade"}
        role="rowgroup"
        style={{ height: `${(total ?? 0) * ROW_PX}px` }}
        inert={isWaiting}
      >
        {numbers.map((at) => {
          const row = rows.get(at);
          const key = row ? `${row.session.source} ${row.session.id}` : at;
          return <RowLine key={key} at={at} row={row} nowMs={props.nowMs} />;
        })}
        {total === 0 && !isWaiting && (
          <OnlyCell>
            <p class="blank list-head">Nothing matches.</p>
          </OnlyCell>
        )}
      </div>
    </div>
  );
}

/** A row without columns: a table may contain nothing else than rows. */
function OnlyCell({ children }: { children: ComponentChildren }) {
  return (
    <div role="row">
      <div role="cell">{children}</div>
    </div>
  );
}

interface Listed {
  /** The request that these rows belong to. */
  request: string | undefined;
  rows: ReadonlyMap<number, Row>;
  total: number | undefined;
  error: AskError | undefined;
}

interface Pages extends Listed {
  /** The rows belong to the previous request, or there are none yet. */
  isWaiting: boolean;
  want: (first: number, last: number) => void;
}

const NOTHING: Listed = {
  request: undefined,
  rows: new Map(),
  total: undefined,
  error: undefined,
};

/** Pages of the list, requested when they come into view. */
function usePages(request: string): Pages {
  const version = generation.value;
  const asked = useRef(new Set<number>());
  const [state, setState] = useState<Listed>(NOTHING);
  const current = useRef("");
  const key = `${request} ${version} ${masking.value}`;
  if (current.current !== key) {
    current.current = key;
    asked.current = new Set();
  }
  const load = async (page: number): Promise<void> => {
    asked.current.add(page);
    try {
      const got = await ask<SessionList>(`${request}&offset=${page * PAGE}&limit=${PAGE}`);
      if (current.current !== key) return;
      const { sessions } = got.value;
      setState((before) => placed(before, { request, sessions, page, total: got.total }));
      const [names, ids] = [sessions.map(nameOf), sessions.map(({ id }) => id)];
      const [costs, risks] = await Promise.all([
        ask<Costs>(hrefOf("/api/costs", { ids: names.join(",") })),
        ask<AtRisk>(hrefOf("/api/at-risk", { ids: ids.join(",") })),
      ]);
      if (current.current !== key) return;
      setState((before) => completed(before, costs.value, risks.value));
    } catch (error) {
      if (error instanceof AskError && error.status !== 401 && error.status !== 0) {
        setState((before) => ({ ...before, error }));
      }
    }
  };
  useEffect(() => {
    setState((before) => ({ ...before, error: undefined }));
    void load(0);
  }, [key]);
  const want = (first: number, last: number): void => {
    for (let page = Math.floor(first / PAGE); page * PAGE < last; page += 1) {
      if (!asked.current.has(page)) void load(page);
    }
  };
  return { ...state, isWaiting: state.request !== request, want };
}

interface GotPage {
  request: string;
  sessions: readonly SessionSummary[];
  page: number;
  total: number;
}

function placed(before: Listed, { request, sessions, page, total }: GotPage): Listed {
  const known = new Map([...before.rows.values()].map((row) => [nameOf(row.session), row]));
  // The first page of a new request replaces the old rows; until then they stay.
  const rows = new Map(page === 0 ? [] : before.rows);
  for (const [at, session] of sessions.entries()) {
    const { costMicroUsd, isAtRisk } = known.get(nameOf(session)) ?? {};
    rows.set(page * PAGE + at, { session, costMicroUsd, isAtRisk });
  }
  return { request, rows, total, error: undefined };
}

/** Adds what a page of sessions does not contain. */
function completed(before: Listed, { costs }: Costs, risks: AtRisk): Listed {
  const costOf = new Map(costs.map(({ id, costMicroUsd }) => [id, costMicroUsd]));
  const atRisk = new Set(risks.sessions.map(({ source, id }) => `${source} ${id}`));
  const rows = [...before.rows].map(([at, row]): [number, Row] => {
    const { id, source } = row.session;
    const name = nameOf(row.session);
    if (!costOf.has(name)) return [at, row];
    const isAtRisk = atRisk.has(`${source} ${id}`);
    return [at, { ...row, costMicroUsd: costOf.get(name), isAtRisk }];
  });
  return { ...before, rows: new Map(rows) };
}

const COLUMNS: readonly [order: string, label: string, kind: string][] = [
  ["title", "Session", ""],
  ["project", "Project", "wide-only"],
  ["updated", "Active", ""],
  ["prompts", "Prompts", "number wide-only"],
  ["tokens", "Tokens", "number wide-only"],
  ["cost", "Cost", "number"],
];

function Head({ order, direction }: { order: string; direction: string }) {
  return (
    <div role="rowgroup">
      <div class="list-head" role="row" aria-rowindex={1}>
        {COLUMNS.map(([name, label, kind]) => {
          const isHere = order === name;
          const next = isHere && direction === "down" ? "up" : "down";
          const sorted = direction === "down" ? "descending" : "ascending";
          return (
            <div
              key={name}
              class={kind}
              role="columnheader"
              aria-sort={isHere ? sorted : undefined}
            >
              <a href={hrefWith({ order: name, direction: next })}>
                {label}
                {isHere && <span aria-hidden="true">{direction === "down" ? " ↓" : " ↑"}</span>}
              </a>
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface RowLineProps {
  at: number;
  row: Row | undefined;
  nowMs: number;
}

function RowLine({ at, row, nowMs }: RowLineProps) {
  const place = { top: `${at * ROW_PX}px` };
  if (!row) return <div class="list-row" style={place} role="row" aria-rowindex={at + 2} />;
  const { session, costMicroUsd, isAtRisk = false } = row;
  const { total } = session.tokens;
  return (
    <div class="list-row" style={place} role="row" aria-rowindex={at + 2}>
      <div role="cell" class="named">
        <input
          class="pick"
          type="checkbox"
          aria-label={`Pick ${session.title ?? session.id}`}
          checked={isPicked(nameOf(session))}
          onChange={(event) => pick(nameOf(session), event.currentTarget.checked ? "in" : "out")}
        />
        <div class="named-text">
          <a class="title" href={sessionHref(session)} dir="auto">
            {session.own?.isStarred && <span class="star-mark">★ </span>}
            {safeText(session.own?.title ?? session.title ?? "Untitled")}
          </a>
          <div class="under">
            <StatusBadge status={session.status} />
            {session.own?.tags.map((tag) => (
              <span key={tag} class="badge accent">
                #{safeText(tag)}
              </span>
            ))}
            <Badges session={session} isAtRisk={isAtRisk} />
            <span class="cut">{session.models.join(", ")}</span>
          </div>
        </div>
      </div>
      <div role="cell" class="cut wide-only" title={session.project.path ?? undefined}>
        <ProjectLink project={session.project} />
      </div>
      <div role="cell" class="soft active" title={when(session.updatedAt)}>
        {ago(session.updatedAt ?? session.startedAt, nowMs)}
      </div>
      <div role="cell" class="number wide-only">
        {exact(session.prompts)}
      </div>
      <div role="cell" class="number wide-only" title={total === null ? "" : exact(total)}>
        {total === null ? "–" : brief(total)}
      </div>
      <div role="cell" class="number cost" title={exactMoney(costMicroUsd)}>
        {costMicroUsd === undefined ? "" : money(costMicroUsd)}
      </div>
    </div>
  );
}
