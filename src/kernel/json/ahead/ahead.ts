import type { Worker } from "node:worker_threads";
import type { Fields } from "../fields.ts";
import type { Continuation, Part, PartsAhead } from "../part.ts";
import { START } from "../part.ts";
import { JsonWalk, walkProgram } from "../walk.ts";
import type { FileAhead, Work } from "./ring.ts";
import { newRing, RingReader } from "./ring.ts";

/** A file to read ahead. */
export interface WantedFile extends Pick<FileAhead, "path" | "sizeBytes" | "as"> {
  fields: Fields;
}

/**
 * A second thread that reads and walks files while this one interprets the parts before. Both work
 * on the same memory: nothing is copied.
 */
export class ReadAhead {
  readonly #worker: Worker;
  readonly #ring: RingReader;

  /** Undefined if the processor lacks the instructions of the walk. */
  static start(script: string): ReadAhead | undefined {
    const program = walkProgram();
    return program && new ReadAhead(script, program);
  }

  constructor(script: string, program: WebAssembly.Module) {
    const shared = newRing();
    this.#ring = new RingReader(shared, new JsonWalk(program, shared.memory));
    const { Worker: Thread } = process.getBuiltinModule("node:worker_threads");
    const resourceLimits = { maxYoungGenerationSizeMb: 1 };
    this.#worker = new Thread(script, { workerData: { program, shared }, resourceLimits });
    this.#worker.unref();
    // The ring then stays empty, and this thread reads everything by itself.
    this.#worker.on("error", () => undefined);
  }

  /** Begins to read these files. They have to be used in this order; some may be left out. */
  read(files: readonly WantedFile[]): void {
    const fields = [...new Set(files.map((file) => file.fields))];
    const work: Work = {
      files: files.map((file) => ({
        path: file.path,
        sizeBytes: file.sizeBytes,
        as: file.as,
        fields: fields.indexOf(file.fields),
      })),
      fields: fields.map(({ plain }) => plain),
    };
    this.#worker.postMessage(work);
  }

  /** The parts of a file, by its place in the list. */
  file(number: number): PartsAhead {
    return new FileParts(this.#ring, number);
  }

  /** Ends the thread, also if it has not read everything. */
  close(): void {
    void this.#worker.terminate();
  }
}

class FileParts implements PartsAhead {
  readonly #ring: RingReader;
  readonly #file: number;
  #isHeld = false;
  #isOver = false;
  /** Where this thread continues if the other one does not. */
  #after: Continuation = START;

  constructor(ring: RingReader, file: number) {
    this.#ring = ring;
    this.#file = file;
  }

  next(): Part | Continuation | undefined {
    this.close();
    if (this.#isOver) return undefined;
    let found = this.#ring.peek();
    // Parts of files that nobody wanted, or that were given up.
    while (found && found.file < this.#file) {
      this.#ring.release();
      found = this.#ring.peek();
    }
    if (found?.file !== this.#file) return this.#after;
    const { state, part, nextLine } = found;
    this.#isHeld = true;
    this.#isOver = state !== "more";
    if (state === "left") return this.#after;
    this.#after = { offset: part.offset + part.end - part.first, line: nextLine };
    return part;
  }

  close(): void {
    if (this.#isHeld) this.#ring.release();
    this.#isHeld = false;
  }
}
