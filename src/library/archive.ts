import { existsSync } from "node:fs";
import type { Archive } from "../store/archive.ts";
import { usualArchive, wishedArchive } from "../store/location.ts";
import { openArchive } from "../store/sqlite/archive.ts";
import { ArchiveShelf } from "../ingest/stored-sessions.ts";
import type { Home } from "../ingest/gather.ts";
import { findHomes } from "../ingest/gather.ts";
import { indexTexts } from "../ingest/index-texts.ts";
import type { TakeInOptions } from "../ingest/ingest.ts";
import { missRoot, takeIn } from "../ingest/ingest.ts";
import { READER_VERSION } from "../ingest/reader-version.ts";
import { readKept, rebuild } from "../ingest/rebuild.ts";
import { stopSecondThread } from "../ingest/second-thread.ts";
import { letBytesGo } from "../ingest/take-bytes.ts";
import { readyForAll } from "../ingest/take-sessions.ts";
import type { Progress, TookIn } from "../ingest/ingest-report.ts";
import { asItWas, isForNow } from "./stale-warning.ts";
import { CareDesk } from "./care.ts";
import { machineClock } from "./clock.ts";
import { healthOf } from "./health.ts";
import { indexWanted } from "./index-wanted.ts";
import type { HookAnswer } from "./hooks.ts";
import { hookAnswers } from "./hooks.ts";
import type { Digest } from "../core/digest.ts";
import { PolluxError } from "../core/error.ts";
import type { RootHow } from "../core/kept.ts";
import { optional } from "../core/optional.ts";
import type { Examined } from "../queries/doctor.ts";
import type { AtRisk } from "../queries/retention-risk.ts";
import { UnkeptDesk } from "./unkept.ts";
import type { Root, Source, Environment } from "../sources/source.ts";

export interface DeskOptions {
  /** A file, a folder, or `default`. */
  archive?: string;
  /** `none`: answers are about what the archive holds, without a look at the disk. */
  refresh?: "look" | "none" | "fresh";
  clock?: () => number;
  progress?: Progress;
  remark?: (sentence: string) => void;
}

/** What came of taking everything in. */
export interface KeepAnswer {
  /** Where the archive lies. */
  archive: string;
  /** Sessions that their program will delete by itself; they are kept now. */
  atRisk: AtRisk[];
  roots: TookIn[];
}

/** A root of a source, whether it is there or not. */
export interface Place {
  source: Source;
  root: Root;
}

interface Around {
  places: readonly Place[];
  around: Environment;
  sources: readonly Source[];
}

/** The part of the library that looks after the archive. It is opened with the first question. */
export class ArchiveDesk {
  /** What answers are made of. */
  readonly shelf: ArchiveShelf;
  readonly #options: DeskOptions;
  readonly #around: Around;
  #archive: Archive | undefined;
  #isLooked = false;
  /** As they were found by the last look. */
  #found: readonly Home[] | undefined;

  constructor(options: DeskOptions, around: Around) {
    this.#options = options;
    this.#around = around;
    const roots = this.#isWished ? around.places.map(({ root }) => root.path) : [];
    this.shelf = this.#shelfOf(roots);
  }

  /** Whether there is one to work on. */
  get isThere(): boolean {
    return (this.#options.archive ?? "none") !== "none";
  }

  /** Where it lies, or would. */
  get path(): string {
    const { archive = "none" } = this.#options;
    if (archive !== "none") {
      return archive === "default" ? usualArchive(this.#around.around) : wishedArchive(archive);
    }
    throw new PolluxError("no-archive", "There is no archive to work on.", {
      remedy: "Name one with --archive, or leave out what excludes it.",
    });
  }

  /** Answers could come from an archive, but nothing is in it yet. */
  get isUnused(): boolean {
    return this.#isInUse && this.#paths().length === 0;
  }

  /** Whether anything of a root is kept. Makes no archive where there is none. */
  hasRoot(path: string): boolean {
    return this.#paths().includes(path);
  }

  /** The archive, to keep something in it; why that is not possible is thrown. */
  toKeep(): Archive {
    const archive = this.#open();
    if (archive.mode === "read") archive.write(() => undefined);
    return archive;
  }

  /** Before `keep`: when nothing is kept yet, long work is ahead, and what helps with it begins. */
  getReady(): void {
    if (this.#paths().length === 0) readyForAll(this.#homes());
  }

  /** Takes everything in: bytes, rows and text. Files that may soon be lost come first. */
  keep(urgent: ReadonlySet<string> = new Set()): TookIn[] {
    const archive = this.toKeep();
    const how = this.#isWished ? "asked" : "usual";
    const took = this.#takeIn(how, { text: "now", urgent });
    this.#readKept("now");
    const roots = archive.files.roots().map(({ id }) => id);
    indexTexts(archive, { ...this.#told(), roots });
    archive.care.settle();
    stopSecondThread();
    this.#isLooked = true;
    this.shelf.reset();
    this.care.forgetAgain();
    return took;
  }

  /** Makes all rows again from the kept bytes. Says how many sessions they are. */
  rebuild(): number {
    this.shelf.reset();
    return rebuild(this.#open(), { ...this.#told(), text: "now" });
  }

  /** How many kept files could not be read. */
  unread(): number {
    const archive = this.#open();
    const { files, read } = archive.rows.counts(archive.files.roots().map(({ id }) => id));
    return files - read;
  }

  /** What of the disk is safe. Looks at names, sizes and times alone. */
  health(digests: readonly Digest[]): Pick<Examined, "archive" | "isKept"> {
    if (!this.#isInUse || !existsSync(this.path)) return { archive: null, isKept: () => false };
    return healthOf(this.#open(), this.#homes(), digests);
  }

  /** Where something moves when there is something to keep. */
  watched(): string[] {
    return this.#around.places.flatMap(({ source, root }) => source.watched(root));
  }

  /** What makes programs call this one by themselves; written only when that is the mode. */
  hooks(command: string, mode: "plan" | "write"): HookAnswer[] {
    return hookAnswers(this.#around.places, command, mode);
  }

  /** Moving, checking, forgetting. */
  get care(): CareDesk {
    const progress: Progress = this.#options.progress ?? ((): void => undefined);
    return new CareDesk({
      archive: () => this.#open(),
      everything: () => this.#shelfOf(this.#paths()),
      nowMs: () => this.#told().nowMs,
      progress,
      renew: () => {
        this.#readKept("now");
        this.shelf.reset();
      },
    });
  }

  /** Looks for changes once more: what was answered so far is forgotten. */
  lookAgain(): void {
    this.#isLooked = false;
    this.shelf.reset();
  }

  /** Lets go of what was read, and of the memory that it took. */
  letGo(): void {
    this.shelf.reset();
    letBytesGo();
    this.#archive?.rest();
  }

  close(): void {
    this.lookAgain();
    // Whatever was under way has come to an end.
    this.#options.progress?.(1, 1);
    this.#archive?.close();
    this.#archive = undefined;
    stopSecondThread();
  }

  /** Answers are about the wished places alone, not about all that the archive holds. */
  get #isWished(): boolean {
    return this.#around.around.askedRoots.length > 0;
  }

  /** Whether answers come from an archive at all. */
  get #isInUse(): boolean {
    const { archive = "none", refresh } = this.#options;
    return archive !== "none" && refresh !== "fresh";
  }

  #shelfOf(roots: readonly string[] | "every"): ArchiveShelf {
    const { remark } = this.#options;
    return new ArchiveShelf({
      archive: () => this.#looked(),
      sources: this.#around.sources,
      roots,
      indexTexts: (ids) => indexWanted(this.#open(), { ...this.#told(), roots: ids }, remark),
      unkept: () => this.#unkept(),
    });
  }

  #open(): Archive {
    this.#archive ??= openArchive(this.path, READER_VERSION);
    return this.#archive;
  }

  /** The archive, after the look that the first question asks for. */
  #looked(): Archive {
    if (this.#isLooked) return this.#open();
    this.#isLooked = true;
    const isLook = (this.#options.refresh ?? "look") === "look";
    const archive = this.#open();
    if (archive.mode === "read") {
      const why = `The archive ${archive.path} cannot be written to.`;
      if (isLook) this.#options.remark?.(asItWas(archive, why));
      return archive;
    }
    try {
      if (isLook) this.#takeIn(this.#isWished ? "visited" : "usual", { text: "later" });
      this.#readKept("later");
    } catch (error) {
      if (!isForNow(error) || archive.rows.count() === 0) throw error;
      // What is kept can be told all the same.
      this.#options.remark?.(asItWas(archive, error.message));
    }
    return archive;
  }

  /** Tells what lies on the disk cost, when nothing of it is kept yet and it is much. */
  #unkept(): UnkeptDesk | undefined {
    const { refresh = "look" } = this.#options;
    if (this.#isLooked || refresh !== "look" || this.#paths().length > 0) return undefined;
    const around = { archive: () => this.#open(), path: this.path, nowMs: this.#told().nowMs };
    return UnkeptDesk.open(() => this.#homes(), around);
  }

  /** Of all roots that something is kept of. */
  #paths(): string[] {
    return (existsSync(this.path) ? this.#open().files.roots() : []).map(({ path }) => path);
  }

  #homes(): readonly Home[] {
    this.#found ??= findHomes(this.#places());
    return this.#found;
  }

  /** A root may appear while a watch goes on. */
  #places(): Place[] {
    return this.#around.places.map(({ source, root }) => {
      return { source, root: { ...root, isFound: root.isFound || existsSync(root.path) } };
    });
  }

  #takeIn(how: RootHow, wish: Pick<TakeInOptions, "text" | "urgent">): TookIn[] {
    const archive = this.#open();
    this.#found = undefined;
    const homes = this.#homes();
    const told = this.#told();
    const took = homes.map((home) => takeIn(archive, home, { ...told, how, ...wish }));
    const absent = this.#around.places.filter(({ source, root }) => {
      return !homes.some((home) => home.source === source && home.root.path === root.path);
    });
    return [...took, ...absent.flatMap((place) => missRoot(archive, place, told.nowMs) ?? [])];
  }

  /** After an update of the reader, what is kept is read again; also of roots that are gone. */
  #readKept(text: "now" | "later"): void {
    const archive = this.#open();
    readKept(archive, archive.files.roots(), { ...this.#told(), text });
  }

  #told(): { sources: readonly Source[]; nowMs: number; progress?: Progress } {
    const { clock = machineClock, progress } = this.#options;
    const nowMs = Math.floor(clock());
    return { sources: this.#around.sources, nowMs, ...optional("progress", progress) };
  }
}
