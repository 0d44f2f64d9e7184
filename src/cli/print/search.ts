import { groupBy } from "../../core/group.ts";
import type { SessionSummary } from "../../core/rows/summary.ts";
import type { SearchAnswer, SearchHit } from "../../queries/search/search.ts";
import { briefMoment, counted, exact, moment } from "./figures.ts";
import { safeBlock, safeLine } from "./safe.ts";
import { shownIds } from "./session-list.ts";
import type { Style } from "./style.ts";
import { fit, widthOf } from "./width.ts";
import type { DatedView } from "./view.ts";

const ROLES = {
  title: "title",
  prompt: "you",
  answer: "model",
  thought: "thought",
  tool: "tool",
  other: "note",
  own: "yours",
} as const;

const ROLE_WIDTH = 8;

/** One line per session, followed by its hits with the matches marked. */
export function searchLines(answer: SearchAnswer, view: DatedView): string[] {
  if (answer.hits.length === 0) {
    const near = answer.suggestions.map(safeLine).join(", ");
    const hint = near === "" ? [] : [`Did you mean: ${near}`];
    return [`No matches for ${safeLine(answer.query)}.`, ...hint];
  }
  const hits = groupBy(answer.hits, ({ sessionId }) => sessionId);
  const ids = shownIds(answer.sessions.map(({ id }) => id));
  const blocks = answer.sessions.flatMap((session) => [
    headOf(session, ids.get(session.id) ?? session.id, view),
    ...(hits.get(session.id) ?? []).map((hit) => hitLine(hit, view)),
    "",
  ]);
  return [...blocks, view.style.dim(footOf(answer))];
}

export function headOf(
  session: SessionSummary,
  id: string,
  { style, now, columns }: DatedView,
): string {
  const { goneSince } = session;
  const gone = goneSince === null ? "" : ` · gone since ${briefMoment(goneSince, now)}`;
  const when = moment(session.updatedAt, now);
  // The time and the id are never cut.
  const taken = when.length + id.length + gone.length + 9;
  const head = `${fit(safeLine(session.project.name), Math.max(8, columns - taken))} · ${when} · `;
  const title = safeLine(session.title ?? "–");
  const room = columns - widthOf(head) - id.length - 3 - gone.length;
  const rest = `${fit(title, Math.max(room, 0))}${gone}`;
  return `${style.bold(head)}${style.cyan(id)} ${style.dim("·")} ${rest}`;
}

export function hitLine(hit: SearchHit, { style, columns }: DatedView): string {
  const role = ROLES[hit.role].padEnd(ROLE_WIDTH);
  const mark = hit.standing === "live" ? "" : `${style.yellow(`(${hit.standing})`)} `;
  const room = columns - ROLE_WIDTH - 2 - (hit.standing === "live" ? 0 : hit.standing.length + 3);
  return `  ${style.dim(role)}${mark}${marked(hit, room, style)}`;
}

/** Splits the snippet at the marks; each piece is made safe separately. */
function marked({ snippet, marks }: SearchHit, room: number, style: Style): string {
  let at = 0;
  let left = room;
  let line = "";
  const add = (text: string, paint: (text: string) => string): void => {
    const safe = safeBlock(text).replace(/\s+/g, " ");
    const shown = fit(safe, Math.max(0, left));
    // Nothing follows a piece that was cut.
    left = shown === safe ? left - widthOf(shown) : 0;
    if (shown !== "") line += paint(shown);
  };
  for (const [start, end] of marks) {
    add(snippet.slice(at, start), (text) => text);
    add(snippet.slice(start, end), (text) => style.bold(style.yellow(text)));
    at = end;
  }
  add(snippet.slice(at), (text) => text);
  return line;
}

export function footOf({ hits, sessions, total, order, tookMs }: SearchAnswer): string {
  const more =
    total > hits.length ? ` of ${order === "newest" ? "at least " : ""}${exact(total)}` : "";
  const which = order === "newest" ? "the newest " : "";
  const noun = hits.length === 1 && more === "" ? "match" : "matches";
  const found = `${which}${exact(hits.length)}${more} ${noun}`;
  return `${found} in ${counted(sessions.length, "session")}, ${tookMs} ms`;
}
