import type { KnownFile } from "../core/files/kept.ts";
import type { SyncPolicy } from "../core/team/sync-protocol.ts";
import type { SyncLevel } from "../core/team/team.ts";
import { SYNC_LEVELS } from "../core/team/team.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import type { SyncSettings } from "./settings.ts";

type ChosenLevels = Pick<SyncSettings, "level" | "projects">;

function lower(a: SyncLevel, b: SyncLevel): SyncLevel {
  return SYNC_LEVELS.indexOf(a) < SYNC_LEVELS.indexOf(b) ? a : b;
}

interface NamedProject {
  name: string;
  path?: string | null | undefined;
}

/** Whether a user means this project: by its name, its path, or a folder above it. */
export function isProject(named: string, { name, path }: NamedProject): boolean {
  return named === name || path === named || path?.startsWith(`${named}/`) === true;
}

/** How much of a project's sessions leaves the machine. */
export function levelOf(
  project: NamedProject,
  chosen: ChosenLevels,
  { level, mayLower }: Pick<SyncPolicy, "level" | "mayLower">,
): SyncLevel {
  if (!mayLower) return level;
  const last = chosen.projects.findLast((each) => isProject(each.project, project));
  const own = last?.level ?? chosen.level;
  return own === undefined ? level : lower(own, level);
}

/**
 * How much of each file leaves the machine: the lowest level of its sessions. Files without a
 * session get the lowest level of their folder's sessions, else the lowest of all.
 */
export class FileLevels {
  readonly #bySession: ReadonlyMap<string, SyncLevel>;
  readonly #byFolder = new Map<string, SyncLevel>();
  readonly #least: SyncLevel;

  constructor(
    files: readonly KnownFile[],
    rows: readonly SessionRow[],
    { chosen, policy }: { chosen: ChosenLevels; policy: SyncPolicy },
  ) {
    this.#bySession = new Map(
      rows.map(({ summary }) => [summary.id, levelOf(summary.project, chosen, policy)]),
    );
    const levels = chosen.projects.map((each) => levelOf({ name: each.project }, chosen, policy));
    this.#least = levels.reduce(lower, levelOf({ name: "" }, chosen, policy));
    for (const file of files) {
      for (const id of file.sessionIds) {
        const level = this.#bySession.get(id);
        if (level === undefined) continue;
        const place = placeOf(file);
        this.#byFolder.set(place, lower(level, this.#byFolder.get(place) ?? level));
      }
    }
  }

  of(file: KnownFile): SyncLevel {
    const levels = file.sessionIds.flatMap((id) => this.#bySession.get(id) ?? []);
    const [first, ...others] = levels;
    if (first !== undefined) return others.reduce(lower, first);
    return this.#byFolder.get(placeOf(file)) ?? this.#least;
  }
}

function placeOf({ rootId, folder }: KnownFile): string {
  return `${rootId} ${folder}`;
}
