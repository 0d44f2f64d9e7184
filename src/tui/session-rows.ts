import { paintAgent, shortAgent } from "../cli/print/agent.ts";
import { briefMoment } from "../cli/print/figures.ts";
import { safeLine } from "../cli/print/safe.ts";
import type { Costs } from "../cli/print/session-costs.ts";
import { GONE_MARK, paintStatus } from "../cli/print/session-list.ts";
import { costOfSession } from "../queries/usage/session-names.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import type { Part } from "./draw.ts";
import { fit, pad, widthOf } from "./draw.ts";
import type { HomeContext } from "./screen.ts";

/** A session written to within this time counts as running. */
const RUNNING_MS = 2 * 60_000;

function isRunning({ updatedAt, goneSince }: SessionSummary, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(updatedAt ?? "");
  return goneSince === null && ageMs < RUNNING_MS && ageMs > -RUNNING_MS;
}

/** `2h`, `9h`, `Nov 14`. */
function ageOf({ updatedAt, startedAt }: SessionSummary, now: Date): string {
  const at = updatedAt ?? startedAt;
  const minutes = Math.floor((now.getTime() - Date.parse(at ?? "")) / 60_000);
  if (Number.isNaN(minutes)) return "–";
  if (minutes >= 0 && minutes < 2) return "now";
  if (minutes > 0 && minutes < 60) return `${minutes}m`;
  return minutes > 0 && minutes < 24 * 60 ? `${Math.floor(minutes / 60)}h` : briefMoment(at, now);
}

const MOST_PROJECT = 24;

/** Sessions as rows; columns are dropped if space is short, but not the title. */
export function sessionParts(
  sessions: readonly SessionSummary[],
  costs: Costs,
  { width, home }: { width: number; home: Pick<HomeContext, "style" | "money" | "now"> },
): (session: SessionSummary) => Part[] {
  const { style, money } = home;
  const now = home.now();
  const widest = (of: (session: SessionSummary) => string): number => {
    return Math.max(0, ...sessions.map((session) => widthOf(of(session))));
  };
  const cost = (session: SessionSummary): string => {
    const micro = costOfSession(costs, session);
    return micro === undefined ? "" : micro === null ? "–" : money.text(micro);
  };
  const when =
    Math.max(
      8,
      widest((session) => ageOf(session, now)),
    ) + 2;
  const agent = ({ source }: SessionSummary): string => safeLine(shortAgent(source));
  const project = Math.min(
    MOST_PROJECT,
    Math.max(6, Math.floor(width / 6)),
    widest((session) => safeLine(session.project.name)),
  );
  const costWidth = Math.max(6, widest(cost));
  const hasAgent = width >= 72;
  const agentWidth = hasAgent ? widest(agent) + 2 : 0;
  const hasCost = width >= 50;
  const hasProject = width >= 44;
  const statusWidth = width >= 110 ? "interrupted".length + 2 : 0;
  const title =
    width -
    when -
    (hasProject ? project + 2 : 0) -
    agentWidth -
    (hasCost ? costWidth + 2 : 0) -
    statusWidth -
    2;
  return (session) => [
    [pad(ageOf(session, now), when), (text) => style.dim(text)],
    ...(hasProject
      ? [[`${pad(fit(safeLine(session.project.name), project), project)}  `] as const]
      : []),
    [pad(fit(titleOf(session), title), title)],
    ...(statusWidth > 0
      ? [[`  ${pad(session.status, statusWidth - 2)}`, paintStatus(session.status, style)] as const]
      : []),
    ...(hasAgent
      ? [[`  ${pad(agent(session), agentWidth - 2)}`, paintAgent(session.source, style)] as const]
      : []),
    ...(hasCost ? [[`  ${pad(cost(session), costWidth, "right")}`] as const] : []),
    [isRunning(session, now) ? " ●" : "", (text) => style.green(text)],
  ];
}

function titleOf({ title, kind, goneSince }: SessionSummary): string {
  const marks = `${kind === "subagent" ? "↳ " : ""}${goneSince === null ? "" : `${GONE_MARK} `}`;
  return `${marks}${safeLine(title ?? "untitled")}`;
}
