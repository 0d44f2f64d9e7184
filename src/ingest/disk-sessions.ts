import type { Chain } from "../core/chain.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Digest } from "../core/digest.ts";
import { groupBy } from "../core/group.ts";
import type { Project } from "../core/project.ts";
import type { PromptLog } from "../core/prompt-log.ts";
import type { SavedChat } from "../core/saved-chat.ts";
import type { Session } from "../core/session.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { FindWish, FoundTexts } from "../core/text.ts";
import type { Links } from "../core/chains.ts";
import { linkDigests } from "../core/chains.ts";
import { digestOf } from "../core/make-digest.ts";
import { projectAnswer } from "../core/summarise.ts";
import type { Home } from "./gather.ts";
import { readPromptLogs, readSavedChats, readSessions, sessionFilesOf } from "./gather.ts";
import { findBySearching } from "./find-texts.ts";
import { spillReader } from "./texts.ts";
import { diskView } from "../sources/view.ts";
import type { ReadFile, Recalled, Shelf, Unkept } from "./session-source.ts";
import { skimHomes } from "./skim-homes.ts";
import { sumHomes } from "./sum-homes.ts";

interface Found {
  home: Home;
  file: SessionFile;
}

interface Everything extends Links {
  savedChats: SavedChat[];
  promptLogs: PromptLog[];
  files: ReadFile[];
  diagnostics: Diagnostic[];
}

/** All sessions of the given homes, read straight from the disk, when they are asked for. */
export class DiskShelf implements Shelf {
  readonly #find: () => readonly Home[];
  #homes: readonly Home[] | undefined;
  #all: Everything | undefined;

  constructor(find: () => readonly Home[]) {
    this.#find = find;
  }

  get homes(): readonly Home[] {
    this.#homes ??= this.#find();
    return this.#homes;
  }

  digests(): readonly Digest[] {
    return this.#everything().digests;
  }

  digest(id: string): Digest | undefined {
    return this.digests().find(({ summary }) => summary.id === id);
  }

  /** Once everything was read, there is nothing to be gained. */
  unkept(): Unkept | undefined {
    if (this.#all) return undefined;
    return {
      skim: () => skimHomes(this.homes),
      sum: async (how) => sumHomes(this.homes, await how(), { known: new Map(), nowMs: 0 }),
    };
  }

  recall<T>(): Recalled<T> {
    return { keep: (answer) => answer };
  }

  chains(): readonly Chain[] {
    return this.#everything().chains;
  }

  find(wish: FindWish): FoundTexts {
    const ids = this.digests().map(({ summary }) => summary.id);
    const read = (id: string): Session | undefined => this.read(id);
    return findBySearching(ids, { read, readSpill: spillReader(diskView) }, wish);
  }

  savedChats(): readonly SavedChat[] {
    return this.#everything().savedChats;
  }

  promptLogs(): readonly PromptLog[] {
    return this.#everything().promptLogs;
  }

  counts(): { files: number; read: number } {
    const files = this.files();
    return { files: files.length, read: files.filter(({ isRead }) => isRead).length };
  }

  files(): readonly ReadFile[] {
    return this.#everything().files;
  }

  diagnostics(): readonly Diagnostic[] {
    return this.#everything().diagnostics;
  }

  reset(): void {
    this.#all = undefined;
    this.#homes = undefined;
  }

  read(id: string): Session | undefined {
    // Once everything was read, its files are known; before, only those that name it are opened.
    const named = this.#all ? this.#filesOf(id) : this.#filesNaming(id);
    const session = this.#readFull(id, named) ?? this.#readFull(id, this.#filesOf(id));
    if (!session || session.project.path !== undefined) return session;
    // Another session of the same project may know its path.
    this.#everything();
    return { ...session, project: this.#nameAgain(session.project) };
  }

  #readFull(id: string, files: readonly Found[]): Session | undefined {
    return readSessions(files, "full").sessions.find((session) => session.id === id);
  }

  #filesNaming(id: string): Found[] {
    const recorded = id.split("~", 1)[0] ?? id;
    return this.#files().filter(({ home, file }) => {
      // A file that names no session at its beginning may still turn out to belong to this one.
      const named = home.peek(file) ?? recorded;
      return named === recorded;
    });
  }

  /** The files of a session, also those that do not name it at their beginning. */
  #filesOf(id: string): Found[] {
    const digest = this.#everything().digests.find(({ summary }) => summary.id === id);
    const paths = new Set(digest?.session.files.map(({ path }) => path));
    return this.#files().filter(({ file }) => paths.has(file.path));
  }

  #everything(): Everything {
    this.#all ??= this.#readAll();
    return this.#all;
  }

  /** Reads session by session and keeps only digests: memory does not grow with what was said. */
  #readAll(): Everything {
    const files: ReadFile[] = [];
    const diagnostics = this.homes.flatMap(diagnosticsOf);
    const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
    const digests = new Map<string, { digest: Digest; group: readonly Found[] }>();
    for (const group of groupBy(this.#files(), groupKey).values()) {
      const { sessions, played } = readSessions(group, "outline");
      for (const session of sessions) {
        const other = digests.get(session.id);
        // A file that does not name its session at its beginning is found to belong to another.
        const whole = other ? [...other.group, ...group] : group;
        const merged = other ? readSessions(whole, "outline").sessions : [session];
        const own = merged.find(({ id }) => id === session.id) ?? session;
        digests.set(session.id, { digest: digestOf(own), group: whole });
      }
      for (const { file, format, generation, replay, diagnostics: reported } of played) {
        const isRead = replay.headers > 0 || replay.messages.length > 0;
        files.push({ file, format, generation, isRead });
        reported.forEach(report);
      }
    }
    const savedChats = readSavedChats(this.homes, report);
    const promptLogs = readPromptLogs(this.homes, report);
    const links = linkDigests([...digests.values()].map(({ digest }) => digest));
    return {
      ...links,
      digests: links.digests.map((digest) => this.#digestAgain(digest)),
      savedChats: savedChats.map((chat) => this.#projectAgain(chat)),
      promptLogs: promptLogs.map((log) => this.#projectAgain(log)),
      files,
      diagnostics,
    };
  }

  #digestAgain(digest: Digest): Digest {
    const project = this.#nameAgain(digest.session.project);
    const summary = { ...digest.summary, project: projectAnswer(project) };
    return { ...digest, summary, session: { ...digest.session, project } };
  }

  #projectAgain<T extends { project: Project }>(one: T): T {
    return { ...one, project: this.#nameAgain(one.project) };
  }

  /** What a session told about its project holds for all that have the same hash. */
  #nameAgain(project: Project): Project {
    return this.homes.reduce((named, home) => home.projects.nameAgain(named), project);
  }

  #files(): Found[] {
    return this.homes.flatMap((home) => sessionFilesOf(home).map((file) => ({ home, file })));
  }
}

/** What tells about projects is read with the first question, and may have complaints too. */
function diagnosticsOf({ projects: _read, diagnostics }: Home): Diagnostic[] {
  return diagnostics;
}

/** Files of one session are read together; one that names no session stands alone. */
function groupKey({ home, file }: Found): string {
  return home.peek(file) ?? file.path;
}
