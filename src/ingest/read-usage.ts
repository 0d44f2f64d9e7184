import type { SessionFile } from "../core/session-file.ts";
import type { SessionRows } from "../core/session-rows.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { Source } from "../sources/source.ts";
import { diskView } from "../sources/view.ts";
import type { ReplyTable } from "../store/replies/table.ts";
import { addReplies, emptyTable } from "../store/replies/table.ts";
import type { FileReading } from "../store/store.ts";
import { homeView } from "./decode.ts";
import type { Member } from "./read-group.ts";
import { readGroup } from "./read-group.ts";

/** Session files that belong together, by names alone: they go from thread to thread. */
export interface UsageGroup {
  source: string;
  files: { rootId: number; file: SessionFile; keys: readonly string[] }[];
}

/** A root, by names alone. */
export interface UsageHome {
  source: string;
  rootId: number;
  root: string;
  folders: readonly string[];
}

/** What one thread read of a source: sessions without their replies, and those in a table. */
export interface UsagePart {
  source: string;
  sessions: SessionRows[];
  readings: FileReading[];
  table: ReplyTable;
}

/** Reads groups at depth "usage", and holds on to nothing but what a sum needs. */
export class UsageReader {
  readonly #parts = new Map<string, UsagePart>();
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #homes: ReadonlyMap<number, Member["home"]>;

  constructor(sources: readonly Source[], homes: readonly UsageHome[]) {
    this.#sources = new Map(sources.map((source) => [source.id, source]));
    this.#homes = new Map(homes.map((home) => [home.rootId, this.#viewOf(home)]));
  }

  get parts(): UsagePart[] {
    return [...this.#parts.values()];
  }

  read(group: UsageGroup): void {
    const source = this.#sourceOf(group.source);
    const members = group.files.map(({ rootId, file, keys }): Member => {
      const home = this.#homes.get(rootId);
      if (!home) throw new RangeError("A file lies in a root.");
      return { rootId, file, bytes: fileBytes(file.path), home, keys };
    });
    const { sessions, readings } = readGroup(source, members, "usage");
    const part = this.#partOf(group.source);
    part.readings.push(...readings);
    for (const rows of sessions) {
      addReplies(part.table, rows, part.sessions.length);
      part.sessions.push({ ...rows, usage: [] });
    }
  }

  #partOf(source: string): UsagePart {
    const known = this.#parts.get(source);
    if (known) return known;
    const part = { source, sessions: [], readings: [], table: emptyTable() };
    this.#parts.set(source, part);
    return part;
  }

  /** What is wrong with a root is told by whoever found it. */
  #viewOf({ source, root, folders }: UsageHome): Member["home"] {
    return homeView(this.#sourceOf(source), { root, folders, view: diskView }, () => undefined);
  }

  #sourceOf(id: string): Source {
    const source = this.#sources.get(id);
    if (!source) throw new RangeError(`There is no source ${id}.`);
    return source;
  }
}
