import { usualArchive, wishedArchive } from "./archive/location.ts";
import type { Archive } from "./archive/archive.ts";
import { openArchive } from "./archive/sqlite/archive.ts";
import { ArchiveShelf } from "./intake/archive-shelf.ts";
import { DiskShelf } from "./intake/disk.ts";
import { findHome } from "./intake/gather.ts";
import { indexTexts } from "./intake/index-texts.ts";
import { takeIn } from "./intake/intake.ts";
import { READER_VERSION } from "./intake/reader-version.ts";
import { readKept, rebuild } from "./intake/rebuild.ts";
import type { Shelf } from "./intake/shelf.ts";
import type { Progress, TookIn } from "./intake/took-in.ts";
import type { RootHow } from "./model/kept.ts";
import type { Root, Source, Surroundings } from "./sources/source.ts";

export interface DeskOptions {
  /** Where the archive lies. */
  archive: string;
  /** `look`: answers come after a quick look for changes; `none`: as it was when last looked. */
  refresh: "look" | "none";
  sources: readonly Source[];
  places: readonly Place[];
  /** Answers are about the places alone, not about all that the archive holds. */
  isWished: boolean;
  clock: () => number;
  progress?: Progress;
}

export interface Place {
  source: Source;
  root: Root;
}

/** With more than this to read, a command answers first; `keep` and `search` index the words. */
const LOOK_TEXT_BYTES = 16 * 1024 * 1024;

/** The part of the library that looks after the archive. It is opened with the first question. */
export class ArchiveDesk {
  readonly #options: DeskOptions;
  #archive: Archive | undefined;
  #shelf: ArchiveShelf | undefined;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  get archive(): Archive {
    this.#archive ??= openArchive(this.#options.archive, READER_VERSION);
    return this.#archive;
  }

  /** What answers are made of; looked after once. */
  get shelf(): Shelf {
    if (this.#shelf) return this.#shelf;
    const { refresh, sources, places, isWished } = this.#options;
    const how: RootHow = isWished ? "visited" : "usual";
    if (refresh === "look") this.#takeIn(how, LOOK_TEXT_BYTES);
    this.#readUnread("later");
    const roots = isWished ? places.map(({ root }) => root.path) : [];
    this.#shelf = new ArchiveShelf({ archive: this.archive, sources, roots });
    return this.#shelf;
  }

  /** Takes everything in: bytes, rows and text. */
  keep(): TookIn[] {
    const took = this.#takeIn(this.#options.isWished ? "asked" : "usual", Number.POSITIVE_INFINITY);
    this.#readUnread("now");
    this.indexTexts();
    this.#shelf = undefined;
    return took;
  }

  /** Makes all rows again from the kept bytes. */
  rebuild(): number {
    const { sources, clock, progress } = this.#options;
    const told = {
      sources,
      nowMs: clock(),
      text: "now",
      ...(progress ? { progress } : {}),
    } as const;
    this.#shelf = undefined;
    return rebuild(this.archive, told);
  }

  indexTexts(): void {
    const { sources, clock, progress } = this.#options;
    const roots = this.archive.files.roots().map(({ id }) => id);
    indexTexts(this.archive, { roots, sources, nowMs: clock(), ...(progress ? { progress } : {}) });
  }

  close(): void {
    this.#archive?.close();
    this.#archive = undefined;
    this.#shelf = undefined;
  }

  #takeIn(how: RootHow, textUpToBytes: number): TookIn[] {
    const { places, sources, clock, progress } = this.#options;
    return places.flatMap(({ source, root }) => {
      const home = root.isFound ? findHome(source, root) : undefined;
      if (!home) return [];
      const told = { how, nowMs: clock(), textUpToBytes, sources };
      return [takeIn(this.archive, home, { ...told, ...(progress ? { progress } : {}) })];
    });
  }

  /** After an update of the reader, what is kept is read again; also of roots that are gone. */
  #readUnread(text: "now" | "later"): void {
    const { sources, clock, progress } = this.#options;
    const told = { sources, nowMs: clock(), text, ...(progress ? { progress } : {}) };
    readKept(this.archive, this.archive.files.roots(), told);
  }
}

/** Where answers come from, as the caller wishes. */
export function shelfOn(places: readonly Place[]): Shelf {
  return new DiskShelf(
    places.flatMap(({ source, root }) => (root.isFound ? [findHome(source, root)] : [])),
  );
}

/** The file that a wish means. */
export function archivePath(wish: string, around: Surroundings): string {
  return wish === "default" ? usualArchive(around) : wishedArchive(wish);
}
