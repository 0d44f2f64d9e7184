import type { Archive, Reading } from "../store/archive.ts";
import type { Chain } from "../core/chain.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Digest } from "../core/digest.ts";
import { groupBy } from "../core/group.ts";
import type { KeptFile, KeptRoot } from "../core/kept.ts";
import type { Project } from "../core/project.ts";
import type { PromptLog } from "../core/prompt-log.ts";
import type { SavedChat } from "../core/saved-chat.ts";
import type { Session } from "../core/session.ts";
import type { SessionFile } from "../core/session-file.ts";
import type { Links } from "../core/chains.ts";
import { linkDigests } from "../core/chains.ts";
import type { FindWish, FoundTexts } from "../core/text.ts";
import type { Source } from "../sources/source.ts";
import type { ArchivedHome } from "./archived-home.ts";
import { archivedHome, byPlace, sessionFileOf } from "./archived-home.ts";
import { isCompanion } from "./companions.ts";
import { findInIndex } from "./find-texts.ts";
import type { Home } from "./gather.ts";
import { fileWithGone, goneTimes, withGone } from "./gone.ts";
import { readPromptLogs, readSavedChats, readSessions } from "./gather.ts";
import { keptStates } from "./kept-states.ts";
import { mergedSessions } from "./merged-sessions.ts";
import { nameAgain } from "./name-projects.ts";
import type { KeptState } from "./session-states.ts";
import type { ReadFile, Recalled, Shelf, Unkept } from "./session-source.ts";
import type { RememberWish } from "./recall.ts";
import { recall, rememberedTexts } from "./recall.ts";
import { rootsMeant } from "./roots-meant.ts";
import { spillReader } from "./texts.ts";

export interface ShelfWish {
  /** Asked for with the first question. */
  archive: () => Archive;
  sources: readonly Source[];
  /** Paths of the roots that answers are about; none for all that were not only visited. */
  roots: readonly string[] | "every";
  /** Sees to it that all text of these roots is in the index. */
  indexTexts: (roots: readonly number[]) => void;
  /** What sessions cost, while nothing is kept yet. */
  unkept?: () => Unkept | undefined;
}

/** Sessions as they are kept: lists and sums from rows, a single one from its bytes. */
export class ArchiveShelf implements Shelf {
  readonly #wish: ShelfWish;
  #roots: KeptRoot[] | undefined;
  /** As it was before anything was read: what rests on all that was read is of no later one. */
  #revision = 0;
  #homes: ArchivedHome[] | undefined;
  #aside: ArchivedHome[] | undefined;
  #hasRead = false;
  #links: (Links & { byId: Map<string, Digest> }) | undefined;
  #files: ReadFile[] | undefined;
  #keys: Map<number, string> | undefined;
  #savedChats: SavedChat[] | undefined;
  #promptLogs: PromptLog[] | undefined;

  constructor(wish: ShelfWish) {
    this.#wish = wish;
  }

  get homes(): readonly Home[] {
    return this.#allHomes();
  }

  /** The same, with what the archive knows of their files. */
  get keptHomes(): readonly ArchivedHome[] {
    return this.#allHomes();
  }

  /** Forgets what was read; the next question asks the archive again. */
  reset(): void {
    this.#roots = undefined;
    this.#homes = undefined;
    this.#aside = undefined;
    this.#links = undefined;
    this.#files = undefined;
    this.#keys = undefined;
    this.#savedChats = undefined;
    this.#promptLogs = undefined;
  }

  digests(): readonly Digest[] {
    return this.#linked().digests;
  }

  digest(id: string): Digest | undefined {
    return this.#linked().byId.get(id);
  }

  unkept(): Unkept | undefined {
    return this.#wish.unkept?.();
  }

  remembered(wish: RememberWish): string[] | undefined {
    const roots = this.#allRoots().map(({ id }) => id);
    return rememberedTexts(this.#wish.archive(), { roots, ...wish });
  }

  recall<T>(question: string): Recalled<T> {
    // Where everything is in memory already, it answers as quickly.
    if (this.#links) return { keep: (answer) => answer };
    const asked = JSON.stringify([this.#allRoots().map(({ id }) => id), question]);
    return recall<T>(this.#wish.archive(), { question: asked, revision: this.#revision });
  }

  chains(): readonly Chain[] {
    return this.#linked().chains;
  }

  read(id: string): Session | undefined {
    const archive = this.#wish.archive();
    // Who reads one session is soon done; who reads several needs all that is there.
    const homes = this.#homes || this.#hasRead ? this.#allHomes() : this.#homesAround(id);
    this.#hasRead = true;
    const found = homes.flatMap((home) => {
      const ids = new Set(archive.rows.filesOf(id, home.kept.id));
      if (ids.size === 0) return [];
      return home.files
        .filter(({ path }) => ids.has(home.fileAt(path)?.id ?? -1))
        .map((file) => ({ home, file }));
    });
    if (found.length === 0) return undefined;
    const session = readSessions(found, "full").sessions.find((one) => one.id === id);
    if (!session) return undefined;
    const project = this.#projectOf(session);
    const files = session.files.map((file) => fileWithGone(file, homes));
    return { ...session, project, files };
  }

  find(wish: FindWish): FoundTexts {
    const roots = this.#allRoots().map(({ id }) => id);
    this.#wish.indexTexts(roots);
    this.#keys ??= this.#wish.archive().rows.keys(roots);
    const keys = this.#keys;
    const titles = (id: string): string | undefined => this.digest(id)?.session.summary;
    const read = (id: string): Session | undefined => this.read(id);
    const readSpill = (path: string): string | undefined => {
      const readers = this.#homesAside().map(({ view }) => spillReader(view));
      return readers.map((one) => one(path)).find((text) => text !== undefined);
    };
    return findInIndex(this.#wish.archive(), { keys, titles, read, readSpill }, wish);
  }

  /** Every state of a session that a file was kept in, oldest first. */
  states(file: Pick<SessionFile, "path" | "root">, sessionId: string): KeptState[] {
    const home = this.#allHomes().find((one) => one.root.path === file.root);
    return home ? keptStates(this.#wish.archive(), home, { file, sessionId }) : [];
  }

  savedChats(): readonly SavedChat[] {
    const homes = this.#homesAside();
    // What is wrong with them was remarked when they were taken in.
    this.#savedChats ??= readSavedChats(homes, () => undefined).map((chat) => {
      return { ...chat, project: this.#nameAgain(homes, chat.project) };
    });
    return this.#savedChats;
  }

  promptLogs(): readonly PromptLog[] {
    const forgotten = this.#wish.archive().files.forgotten();
    return this.allPromptLogs().filter(({ sessionId }) => !forgotten.has("session", sessionId));
  }

  /** Also of sessions that were forgotten, in logs that others share. */
  allPromptLogs(): readonly PromptLog[] {
    const homes = this.#homesAside();
    this.#promptLogs ??= readPromptLogs(homes, () => undefined).map((log) => {
      return { ...log, project: this.#nameAgain(homes, log.project) };
    });
    return this.#promptLogs;
  }

  files(): readonly ReadFile[] {
    this.#files ??= this.#allFiles();
    return this.#files;
  }

  counts(): { files: number; read: number } {
    return this.#wish.archive().rows.counts(this.#allRoots().map(({ id }) => id));
  }

  diagnostics(): readonly Diagnostic[] {
    const archive = this.#wish.archive();
    const roots = this.#allRoots();
    const ofRoots = roots.flatMap((root) => archive.files.diagnostics(root));
    const remarks = archive.rows.remarks(roots.map(({ id }) => id));
    const ofFiles = remarks.flatMap((reading) => {
      const [first] = reading.diagnostics;
      return first ? [{ path: first.file, rank: rankOf(reading), ...reading }] : [];
    });
    const sorted = ofFiles.toSorted((a, b) => a.rank - b.rank || byPlace(a, b));
    return [...ofRoots, ...sorted.flatMap(({ diagnostics }) => diagnostics)];
  }

  #allRoots(): KeptRoot[] {
    if (this.#roots) return this.#roots;
    const { roots, sources } = this.#wish;
    const archive = this.#wish.archive();
    this.#revision = archive.answers.revision();
    const known = archive.files.roots().filter(({ source }) => {
      return sources.some(({ id }) => id === source);
    });
    return (this.#roots = rootsMeant(known, roots));
  }

  #allHomes(): ArchivedHome[] {
    return (this.#homes ??= this.#homesOf((root, { files }) => files.files(root)));
  }

  /** As much of the homes as is needed for what is no session. */
  #homesAside(): ArchivedHome[] {
    this.#aside ??= this.#homes ?? this.#homesOf((root, { files }) => files.companions(root));
    return this.#aside;
  }

  /** As much of the homes as one session needs. */
  #homesAround(id: string): ArchivedHome[] {
    return this.#homesOf((root, { files, rows }) => {
      const ids = rows.filesOf(id, root.id);
      return ids.length === 0 ? [] : files.filesAround(root, ids);
    });
  }

  #homesOf(filesOf: (root: KeptRoot, archive: Archive) => KeptFile[]): ArchivedHome[] {
    const archive = this.#wish.archive();
    return this.#allRoots().flatMap((root) => {
      const source = this.#wish.sources.find(({ id }) => id === root.source);
      return source ? [archivedHome(archive, source, { root, files: filesOf(root, archive) })] : [];
    });
  }

  /** Rows, with what only all of them together can tell. */
  #linked(): Links & { byId: Map<string, Digest> } {
    if (this.#links) return this.#links;
    const archive = this.#wish.archive();
    const roots = this.#allRoots().map(({ id }) => id);
    const stored = mergedSessions(archive, archive.rows.sessions({ roots }), () =>
      this.#allHomes(),
    );
    const sharing = archive.rows.sharing();
    const shared = new Set(
      stored.filter(({ key }) => sharing.has(key)).map(({ digest }) => digest),
    );
    const gone = goneTimes(archive, this.#allRoots());
    const digests = stored.map((session) => session.digest);
    const links = linkDigests(digests, (digest) => shared.has(digest));
    const marked =
      gone.size === 0 ? links.digests : links.digests.map((one) => withGone(one, gone));
    // Rows know their ids: no digest is read for that.
    const byId = new Map(marked.map((digest, at) => [stored[at]?.id ?? "", digest]));
    this.#links = { ...links, digests: marked, byId };
    return this.#links;
  }

  /** A path that one session tells holds for all with its hash, also for what is no session. */
  #nameAgain(homes: readonly ArchivedHome[], project: Project): Project {
    const named = nameAgain(homes, project);
    if (named.path !== undefined || named.hash === undefined) return named;
    const told = this.digests().find(({ session: { project: other } }) => {
      return other.hash === named.hash && other.path !== undefined;
    });
    return told?.session.project ?? named;
  }

  /** What all sessions together tell about its project stands in its row. */
  #projectOf({ id, project }: Session): Session["project"] {
    if (project.path !== undefined) return project;
    return this.digest(id)?.session.project ?? project;
  }

  /** Session files and how they were read, those of one session together, as they are read. */
  #allFiles(): ReadFile[] {
    const archive = this.#wish.archive();
    const readings = archive.rows.readings(this.#allRoots().map(({ id }) => id));
    const byFile = new Map(readings.map((reading) => [reading.fileId, reading]));
    const listed = this.#allHomes().flatMap((home) => {
      return home.files.flatMap(({ path }) => {
        const file = home.fileAt(path);
        const reading = file && byFile.get(file.id);
        const isListed = reading && !isCompanion(file) && !file.replaced;
        return isListed ? [{ file, reading }] : [];
      });
    });
    const groups = groupBy(listed, ({ file, reading }) => {
      return reading.sessionId?.split("~", 1)[0] ?? file.path;
    });
    return [...groups.values()].flat().map(({ file, reading }) => {
      const { format, generation, isRead } = reading;
      return { file: sessionFileOf(file), format, generation, isRead };
    });
  }
}

/** Sessions first, as they are read first. */
function rankOf({ format }: Pick<Reading, "format">): number {
  return ["saved-chat", "prompt-log"].indexOf(format);
}
