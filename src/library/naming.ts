import { PolluxError } from "../core/error.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import { hasRowsOnly } from "../core/team/sync-protocol.ts";
import type { Root, Source } from "../sources/source.ts";

/** Which session is meant, and of which agent when that is said. */
export interface SessionName {
  id: string;
  source?: string;
}

/** `01a1e10a`, or with its agent, by any of its names: `codex:01a1e10a`, `claude:latest`. */
export function sessionNamed(
  name: string,
  sources: readonly Pick<Source, "id" | "aliases">[],
): SessionName {
  const [agent = "", ...rest] = name.split(":");
  const source = sources.find(({ id, aliases }) => id === agent || aliases.includes(agent));
  return source && rest.length > 0 ? { id: rest.join(":"), source: source.id } : { id: name };
}

export function notFound({ id, source }: SessionName): PolluxError {
  const [of, option] = source === undefined ? ["", ""] : [` of ${source}`, ` --agent ${source}`];
  return new PolluxError("no-such-session", `No session${of} matches "${id}".`, {
    remedy: `\`pollux sessions${option}\` lists the ids of all sessions.`,
  });
}

/** Error for `latest` if there are no sessions. */
export function noSessionsError(roots: readonly Pick<Root, "path" | "isFound">[]): PolluxError {
  const places = roots.map(({ path, isFound }) => (isFound ? path : `${path} (does not exist)`));
  const looked = places.length === 0 ? "No folder was searched" : `Searched ${places.join(", ")}`;
  return new PolluxError("no-such-session", "No sessions yet.", {
    remedy: `${looked}. Use --root FOLDER to search elsewhere, or --demo to try Pollux.`,
  });
}

type UnreadSession = Pick<SessionRow["summary"], "id" | "files">;

/** The session is listed, but its files can no longer be read. */
export function unreadableSession({ id, files }: UnreadSession): PolluxError {
  if (hasRowsOnly({ files })) {
    return new PolluxError("session-not-sent", "The text of this session was not sent.", {
      remedy: "Its machine sends only token counts (`pollux sync level`); read it on that machine.",
    });
  }
  return new PolluxError("session-unreadable", `The files of session "${id}" cannot be read.`, {
    remedy: "`pollux archive verify` checks the archived bytes, `pollux doctor` everything else.",
  });
}

export function ambiguous(name: string, ids: readonly string[]): PolluxError {
  const named = ids.slice(0, 5);
  const more = ids.length > named.length ? `, and ${ids.length - named.length} more` : "";
  return new PolluxError("ambiguous-session", `"${name}" begins ${ids.length} session ids.`, {
    remedy: `Give more of it: ${named.join(", ")}${more}.`,
  });
}

/** Ids are made by the agents, and nothing keeps two of them from using the same one. */
export function sharedByAgents(id: string, sources: readonly string[]): PolluxError {
  const message = `"${id}" is the id of a session of each of ${sources.join(", ")}.`;
  const names = sources.map((source) => `${source}:${id}`);
  return new PolluxError("ambiguous-session", message, {
    remedy: `Say whose is meant: ${names.join(" or ")}; commands also take --agent.`,
  });
}

/**
 * Checks whether a name refers to an id. An id is named by a prefix. A subagent's id may be its
 * parent's id with a time added; it is also named by the start of the one and the end of the other,
 * as shown in lists: `4ebc57bb~10-03`.
 */
export function isNamed(id: string, name: string): boolean {
  if (id.startsWith(name)) return true;
  const at = name.indexOf("~");
  const parent = id.split("~", 1)[0] ?? id;
  if (at < 0 || parent === id || !parent.startsWith(name.slice(0, at))) return false;
  return id.slice(parent.length).endsWith(name.slice(at + 1));
}
