import { compareTexts } from "../core/lists.ts";
import { optional } from "../core/optional.ts";
import type { Project, StoredClues } from "../core/session/project.ts";
import { strongestProject } from "../core/session/project.ts";
import type { SessionRow, SessionRows } from "../core/rows/session-rows.ts";
import { projectAnswer } from "../core/rows/summarise.ts";
import type { HomeView, Source } from "../sources/source.ts";
import type { Store } from "../store/store.ts";
import { savedChatsOf } from "./companions/stored-companions.ts";
import type { StoredHome } from "./stored-home.ts";

/** Names a project from what any session recorded about a project with the same hash. */
function nameFromOthers(project: Project, homes: readonly HomeView[]): Project {
  return homes.reduce((named, { projects }) => projects?.nameAgain(named) ?? named, project);
}

/** Finds the project again, after more became known about its roots than when it was read. */
function reresolveProject(clues: StoredClues, homes: readonly HomeView[]): Project | undefined {
  const { files, directories } = clues;
  const projects = files.flatMap(({ root, ...own }) => {
    const home = homes.find((place) => place.root === root);
    return home?.projects?.projectOf({ ...own, directories, messages: [] }) ?? [];
  });
  return strongestProject(projects);
}

function isSameProject(a: Project, b: Project): boolean {
  return a.name === b.name && a.path === b.path && a.hash === b.hash && a.knownBy === b.knownBy;
}

function withProject(rows: SessionRows, project: Project): SessionRows {
  if (isSameProject(rows.session.project, project)) return rows;
  const session = { ...rows.session, project };
  return { ...rows, session, summary: { ...rows.summary, project: projectAnswer(project) } };
}

/**
 * A session that is read again usually gives the same clues about its project as before: then it
 * keeps the project that all sessions together gave it.
 */
export function keepProjects(
  sessions: readonly SessionRows[],
  previous: readonly SessionRow[],
): { sessions: SessionRows[]; hasNews: boolean } {
  const before = new Map(previous.map((row) => [row.summary.id, row]));
  let hasNews = false;
  const kept = sessions.map((rows) => {
    const { project, clues } = rows.session;
    const row = before.get(rows.summary.id);
    if (row && JSON.stringify(row.session.clues) === JSON.stringify(clues)) {
      return withProject(rows, row.session.project);
    }
    const isMentioned =
      clues?.files.some(({ mentionedPath }) => mentionedPath !== undefined) === true;
    hasNews ||= isMentioned || project.path === undefined;
    return rows;
  });
  return { sessions: kept, hasNews };
}

/** Sets the project of each session, using what the others recorded. */
export function nameAllProjects(
  sessions: readonly SessionRows[],
  homes: readonly HomeView[],
): SessionRows[] {
  const projects = projectsOf(sessions, homes);
  return sessions.map((rows, at) => withProject(rows, projects[at] ?? rows.session.project));
}

/** Visits sessions in the order of their ids, so that conflicting clues always end the same way. */
function projectsOf(sessions: readonly NamedSession[], homes: readonly HomeView[]): Project[] {
  const order = [...sessions.keys()].toSorted((a, b) => {
    return compareTexts(sessions[a]?.session.id ?? "", sessions[b]?.session.id ?? "");
  });
  const own = new Map(
    order.map((at) => {
      const clues = sessions[at]?.session.clues;
      return [at, clues && reresolveProject(clues, homes)];
    }),
  );
  return sessions.map(({ session }, at) => nameFromOthers(own.get(at) ?? session.project, homes));
}

/** What decides the project of a session: a fraction of its row. */
interface NamedSession {
  session: Pick<SessionRow["session"], "source" | "id" | "project" | "clues">;
}

/** Sessions per query: the rows of all sessions would take hundreds of megabytes. */
const PAGE = 4000;

async function namedSessions(store: Store, source: Source): Promise<NamedSession[]> {
  const query = { scope: "own", filter: { source: source.id } } as const;
  const found: NamedSession[] = [];
  let after: string | undefined;
  do {
    const page = await store.sessions({ ...query, limit: PAGE, ...optional("after", after) });
    for (const { session } of page.items) {
      const { id, project, clues } = session;
      found.push({ session: { source: source.id, id, project, ...optional("clues", clues) } });
    }
    after = page.next;
  } while (after !== undefined);
  return found;
}

/**
 * Names the projects of all sessions again. Called when files or sessions that name projects
 * changed.
 */
export async function nameProjects(
  store: Store,
  source: Source,
  { homes, nowMs }: { homes: readonly StoredHome[]; nowMs: number },
): Promise<void> {
  if (!source.abilities.projects) return;
  const items = await namedSessions(store, source);
  const views = homes.map(({ view }) => view);
  // Loading saved chats adds their paths to the project index of their homes.
  await savedChatsOf(store, homes);
  const projects = projectsOf(items, views);
  const renamed = items.flatMap(({ session }, at) => {
    const project = projects[at] ?? session.project;
    const { source: of, id } = session;
    return isSameProject(session.project, project) ? [] : [{ source: of, id, project }];
  });
  if (renamed.length === 0) return;
  await store.commit({ nowMs, files: [], readings: [], sessions: [], dropped: [], renamed });
}
