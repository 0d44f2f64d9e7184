import { join } from "node:path";
import type { Library, SessionList } from "../../../../src/library/library.ts";
import { open } from "../../../../src/library/library.ts";
import type { Session } from "../../../../src/core/session/session.ts";

export interface Reading {
  library: Library;
  list: SessionList;
  /** Every session of the list, in full. */
  sessions: Session[];
}

/** Reads `.gemini`-like folders together through the public library. */
export async function readHomes(paths: readonly string[]): Promise<Reading> {
  const library = open({ roots: paths });
  const list = await library.sessions();
  const sessions: Session[] = [];
  for (const { id } of list.sessions) sessions.push(await library.session(id));
  return { library, list, sessions };
}

function readHome(path: string): Promise<Reading> {
  return readHomes([path]);
}

export function readTreeHome(folder: string): Promise<Reading> {
  return readHome(join(folder, ".gemini"));
}
