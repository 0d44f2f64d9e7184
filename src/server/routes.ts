import { wrongUsage } from "../core/error.ts";
import { KINDS } from "../core/filter/filter.ts";
import { optional } from "../core/optional.ts";
import { COMPARED } from "../queries/compare.ts";
import { SEARCH_PLACES } from "../queries/search/search.ts";
import { exported, exportForms } from "./export.ts";
import { annotate, forget, forgetPlan, OWN_BODY } from "./annotations.ts";
import type { Question } from "./question.ts";
import type { Answer, RouteContext, Route } from "./route.ts";
import { archiveOf, rawEntries } from "./raw-entry.ts";
import { isUnfit } from "./reply.ts";

/** All routes, one line each. The answers come from the library, the same as with `--json`. */
export const routes: readonly Route[] = [
  { path: "/api/about", answer: about },
  { path: "/api/overview", answer: overview },
  { path: "/api/sessions", answer: sessions },
  { path: "/api/sessions/:id", answer: transcript },
  { path: "/api/sessions/:id/entries/:message", answer: entries },
  { path: "/api/sessions/:id/resume", answer: resume },
  { path: "/api/sessions/:id/restore", does: "change", answer: restore },
  { path: "/api/sessions/:id/handover/:agent", answer: handover("dry-run") },
  {
    path: "/api/sessions/:id/handover/:agent/write",
    does: "change",
    answer: handover("really"),
  },
  { path: "/api/handovers/:id/undo", does: "change", answer: undoHandover },
  { path: "/api/keep", does: "change", answer: value((asked) => asked.library.keep(asked.nowMs)) },
  { path: "/api/search", answer: search },
  { path: "/api/uses", answer: uses },
  { path: "/api/compare", answer: compare },
  { path: "/api/budget", answer: budget },
  { path: "/api/insights", answer: insights },
  { path: "/api/blame", does: "open", answer: blame },
  { path: "/api/annotations", answer: value((asked) => asked.library.own.list()) },
  { path: "/api/forget", does: "change", takes: ["sessions"], answer: forget },
  { path: "/api/forget/plan", does: "open", answer: forgetPlan },
  {
    path: "/api/annotate",
    does: "change",
    changes: "store",
    takes: OWN_BODY,
    answer: annotate,
  },
  { path: "/api/exports", answer: exportForms },
  { path: "/api/export/:form", answer: exported },
  { path: "/api/costs", answer: costs },
  { path: "/api/at-risk", answer: sessionsAtRisk },
  {
    path: "/api/usage",
    answer: value((asked) => asked.library.usage(asked.question.usageQuery())),
  },
  {
    path: "/api/tools",
    answer: value((asked) => asked.library.tools(asked.question.toolsQuery())),
  },
  { path: "/api/explain/:key", answer: explain },
  { path: "/api/doctor", answer: doctor },
];

function value(ask: (asked: RouteContext) => unknown): Route["answer"] {
  return async (asked) => ({ value: await ask(asked) });
}

async function about({ library, current, version, nowMs, shared }: RouteContext): Promise<Answer> {
  const { generation } = current;
  const agents = await library.agents();
  const now = new Date(nowMs).toISOString();
  const archive = archiveOf(library);
  const { roots, sources } = library;
  const takers = sources
    .filter(({ abilities }) => abilities.handover)
    .map(({ id, name }) => ({ id, name }));
  const { team = null, owner = null } = shared ?? {};
  // Ids are unique within an agent.
  const sharedIds = agents.length > 1 ? await current.sharedIds() : [];
  const server = { version, generation, now, team, owner, sharedIds };
  return {
    value: { ...server, roots, sources: sources.map(({ name }) => name), agents, takers, archive },
  };
}

async function overview({ library, question, nowMs }: RouteContext): Promise<Answer> {
  const filter = question.agentFilter();
  return { value: await library.overview(nowMs, question.timezone(), filter) };
}

async function doctor({ library, question, nowMs }: RouteContext): Promise<Answer> {
  const { from, to } = pageOf(question);
  const most = optional("mostAtRisk", to);
  const answer = await library.doctor(nowMs, { ...question.agentFilter(), ...most });
  const { atRisk, deletion } = answer;
  const total = deletion.agents.reduce((sum, agent) => sum + agent.sessions, 0);
  return { value: { ...answer, atRisk: atRisk.slice(from, to) }, total };
}

async function explain({ library, question, named }: RouteContext): Promise<Answer> {
  const filter = question.agentFilter();
  return { value: await library.explain(named["key"] ?? "", question.timezone(), filter) };
}

async function sessions({ library, current, question }: RouteContext): Promise<Answer> {
  const name = question.text("q");
  const filter = { ...question.sessionFilter(), ...optional("name", name) };
  const list = await library.review.page(filter, question.page(), () => current.costs());
  const { from, to } = pageOf(question);
  const { savedChats, promptLogs } = list;
  const total = { "saved-chat": savedChats.length, "prompt-log": promptLogs.length };
  const kind = question.choice("kind", KINDS);
  const isRest = kind === "saved-chat" || kind === "prompt-log";
  return {
    value: {
      ...list,
      savedChats: savedChats.slice(from, to),
      promptLogs: promptLogs.slice(from, to),
    },
    total: isRest ? total[kind] : list.total,
  };
}

const MOST_USES = 100;

async function uses({ library, question }: RouteContext): Promise<Answer> {
  const { limit = 20, ...page } = question.page();
  const request = { ...page, limit: Math.min(limit, MOST_USES) };
  const found = await library.review.uses(question.sessionFilter(), request);
  return { value: found, total: found.total };
}

async function compare({ library, question }: RouteContext): Promise<Answer> {
  const what = question.choice("what", COMPARED) ?? "sessions";
  const names = [question.needed("first"), question.needed("second")] as const;
  const zone = optional("timezone", question.timezone());
  const filter = question.ledgerFilter();
  return { value: await library.review.compare({ what, names, filter, ...zone }) };
}

async function budget({ library, question, nowMs }: RouteContext): Promise<Answer> {
  const dollars = question.count("dollars");
  if (dollars === undefined || dollars === 0)
    throw wrongUsage('"dollars" must be a number above zero.');
  const zone = optional("timezone", question.timezone());
  const { sinceMs: _month, untilMs: _end, ...filter } = question.ledgerFilter();
  const request = { budgetMicroUsd: dollars * 1_000_000, nowMs, filter, ...zone };
  return { value: await library.review.budget(request) };
}

async function insights({ library, question }: RouteContext): Promise<Answer> {
  const limit = optional("limit", question.count("limit"));
  return { value: await library.review.insights({ ...question.sessionFilter(), ...limit }) };
}

/** Only files that an agent touched inside its project are opened. */
async function blame({ library, question }: RouteContext): Promise<Answer> {
  const path = question.needed("path");
  return { value: await library.review.blame(path, { allow: "recorded" }) };
}

async function transcript({ current, question, named }: RouteContext): Promise<Answer> {
  const whole = await current.transcript(named["id"] ?? "");
  const { from, to } = pageOf(question);
  const messages = whole.messages.slice(from, to);
  return { value: { ...whole, messages }, total: whole.messages.length };
}

async function entries({ library, named }: RouteContext): Promise<Answer> {
  const message = { id: named["id"] ?? "", messageId: named["message"] ?? "" };
  return { value: await rawEntries(library, message) };
}

/** The command that resumes a session; `null` if it cannot be resumed. Writes nothing. */
async function resume({ library, named, nowMs }: RouteContext): Promise<Answer> {
  try {
    return { value: await library.resumeCommand(named["id"] ?? "", { nowMs }) };
  } catch (error) {
    // A page requests this for every session, so this is an answer and not an error.
    if (isUnfit(error)) return { value: null };
    throw error;
  }
}

/** Restores a session to its agent's folder; existing files stay. */
async function restore({ library, named, nowMs }: RouteContext): Promise<Answer> {
  return { value: await library.restore(named["id"] ?? "", { nowMs }) };
}

/** Hands a session over to another agent, or returns what would be written. */
function handover(writes: "really" | "dry-run"): Route["answer"] {
  return async ({ library, question, named, nowMs }) => {
    const answer = await library.handover(named["id"] ?? "", {
      to: named["agent"] ?? "",
      ...optional("tools", question.choice("tools", ["native", "as-text"] as const)),
      ...optional("fromMessageId", question.text("from")),
      ...optional("fitTokens", question.count("fit")),
      ...optional("projectPath", question.text("project")),
      ...optional("masking", question.choice("masking", ["masked", "plain"] as const)),
      // A service may find fewer programs than a person's shell; the plan reports that first.
      absent: "is-elsewhere",
      writes,
      nowMs,
    });
    return { value: answer };
  };
}

async function undoHandover({ library, named, nowMs }: RouteContext): Promise<Answer> {
  return { value: await library.undoHandover(named["id"] ?? "", nowMs) };
}

const MOST_HITS = 500;

async function search({ library, question, mask }: RouteContext): Promise<Answer> {
  const places = question.list("in").map((name) => {
    const place = SEARCH_PLACES.find((item) => item === name);
    if (place) return place;
    throw wrongUsage(`"in" must be one of ${SEARCH_PLACES.join(", ")}.`);
  });
  const limit = Math.min(question.count("limit") ?? 50, MOST_HITS);
  const filter = { ...question.sessionFilter(), limit };
  // Masked before snippets are cut: half a secret would not be recognised, and marks would shift.
  const where = { ...(places.length > 0 ? { in: places } : {}), ...optional("mask", mask) };
  return { value: await library.search(question.needed("q"), { ...where, filter }) };
}

const MOST_IDS = 500;

function idsOf(question: Question): string[] {
  const ids = question.list("ids");
  if (ids.length > MOST_IDS) throw wrongUsage(`"ids" takes at most ${MOST_IDS} ids.`);
  return ids;
}

/** Which of these sessions their agents will delete before they are kept. */
async function sessionsAtRisk({ library, question, nowMs }: RouteContext): Promise<Answer> {
  return { value: { sessions: await library.archive.losing(idsOf(question), nowMs) } };
}

/** Costs of single sessions, which are not part of their summary. */
async function costs({ current, question }: RouteContext): Promise<Answer> {
  const ids = idsOf(question);
  const known = await current.costs();
  const priced = ids.map((id) => ({ id, costMicroUsd: known.get(id) ?? null }));
  return { value: { costs: priced } };
}

function pageOf(question: Question): { from: number; to: number | undefined } {
  const from = question.count("offset") ?? 0;
  const limit = question.count("limit");
  return { from, to: limit === undefined ? undefined : from + limit };
}

export interface MatchedRoute {
  route: Route;
  named: Readonly<Record<string, string>>;
}

/** The route that matches a path; throws a URIError for invalid escapes. */
export function matchRoute(path: string, list: readonly Route[]): MatchedRoute | undefined {
  const given = path.split("/");
  for (const route of list) {
    const wanted = route.path.split("/");
    const isMet =
      wanted.length === given.length &&
      wanted.every((part, at) => part.startsWith(":") || part === given[at]);
    if (!isMet) continue;
    const pairs = wanted.flatMap((part, at) =>
      part.startsWith(":") ? [[part.slice(1), decodeURIComponent(given[at] ?? "")] as const] : [],
    );
    return { route, named: Object.fromEntries(pairs) };
  }
  return undefined;
}
