import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { SourceRoot } from "../../src/ingest/decode.ts";
import { diskStore } from "../../src/ingest/disk-store.ts";
import type { IngestOptions } from "../../src/ingest/ingest.ts";
import { ingest } from "../../src/ingest/ingest.ts";
import type { IngestReport } from "../../src/ingest/ingest-report.ts";
import { geminiCli } from "../../src/sources/gemini-cli/index.ts";
import type { Source } from "../../src/sources/source.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { Store } from "../../src/store/store.ts";

/** Long after all files of the tests, so that they count as settled. */
export const NOW_MS = 2_000_000_000_000;

/** The folder of a project's sessions. */
export const CHATS = "tmp/ledger/chats";

interface HomeParts {
  store?: Store;
  source?: Source;
  root?: string;
}

/** A temporary root on disk with a store. */
export class TestHome {
  readonly root: string;
  readonly store: Store;
  readonly source: Source;
  #seconds = 0;

  constructor({ store, source, root }: HomeParts = {}) {
    this.root = root ?? newRoot();
    this.store = store ?? memoryStore();
    this.source = source ?? geminiCli;
  }

  get place(): SourceRoot {
    return { source: this.source, root: { path: this.root, because: "a test", isFound: true } };
  }

  path(name: string): string {
    return join(this.root, name);
  }

  /** Writes a file with a modification time one second after the previous one. */
  write(name: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
    this.age(name);
  }

  append(name: string, text: string): void {
    appendFileSync(this.path(name), text);
    this.age(name);
  }

  remove(name: string): void {
    rmSync(this.path(name), { recursive: true });
  }

  age(name: string): void {
    this.#seconds += 1;
    const time = 1_900_000_000 + this.#seconds;
    utimesSync(this.path(name), time, time);
  }

  ingest(options: Partial<IngestOptions> = {}): Promise<IngestReport[]> {
    return ingest(this.store, [this.place], { how: "usual", clock: () => NOW_MS, ...options });
  }

  /** A store read from disk at full depth, for comparison. */
  fresh(): Promise<Store> {
    return diskStore([this.place], { depth: "full", nowMs: NOW_MS });
  }

  /** The newest kept bytes of a file. */
  async kept(name: string): Promise<string> {
    const [file] = await this.store.known({ paths: [this.path(name)] });
    if (!file) throw new Error(`${name} is not kept`);
    const bytes = (await this.store.bytes(file)).range(0, file.sizeBytes);
    if (file.digest !== undefined && sha256(bytes) !== file.digest) throw new Error("wrong digest");
    return bytes.toString("utf8");
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function newRoot(): string {
  const folder = mkdtempSync(join(tmpdir(), "pollux-home-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, ".gemini");
  mkdirSync(join(root, "tmp", "ledger"), { recursive: true });
  writeFileSync(join(root, "tmp", "ledger", ".project_root"), "/home/ada/projects/ledger");
  return root;
}

/** Paths of all files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

export function readText(path: string): string {
  return readFileSync(path, "utf8");
}

export function inodeOf(path: string): number {
  return statSync(path).ino;
}
