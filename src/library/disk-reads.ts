import { storedHomes } from "../ingest/companions/stored-companions.ts";
import { diskStore } from "../ingest/disk-store.ts";
import { diskUsage } from "../ingest/disk-usage.ts";
import type { Depth } from "../sources/source.ts";
import type { SourceRoot } from "./places.ts";
import type { Setup } from "./open-options.ts";
import { threadScript } from "./threads/thread-script.ts";
import type { StoreView, UsageView } from "./store-view.ts";

/** How deeply a query needs sessions to be read. */
export type ReadDepth = Exclude<Depth, "usage">;
const DEPTHS: readonly ReadDepth[] = ["outline", "full"];

/** Reads sessions from the disk, without an archive; each depth once. */
export class DiskReads {
  readonly #setup: Setup;
  readonly #places: () => SourceRoot[];
  readonly #reads = new Map<ReadDepth, Promise<StoreView>>();
  #usage: Promise<UsageView> | undefined;

  constructor(setup: Setup, places: () => SourceRoot[]) {
    this.#setup = setup;
    this.#places = places;
  }

  /** Whether sessions were read. */
  get hasRead(): boolean {
    return this.#reads.size > 0;
  }

  /** Sessions at this depth, or at a greater one that was read before. */
  read(depth: ReadDepth): Promise<StoreView> {
    const wanted = this.#setup.options.refresh === "fresh" ? "full" : depth;
    const deeper = DEPTHS.slice(DEPTHS.indexOf(wanted));
    const [known] = deeper.flatMap((each) => this.#reads.get(each) ?? []);
    if (known) return known;
    const reading = this.#read(wanted);
    this.#reads.set(wanted, reading);
    return reading;
  }

  /** Only the replies, for sums. */
  readUsage(): Promise<UsageView> {
    return (this.#usage ??= this.#readUsage());
  }

  /** Drops cached data; the next query reads again. */
  forget(): void {
    this.#reads.clear();
    this.#usage = undefined;
  }

  async #read(depth: ReadDepth): Promise<StoreView> {
    const { sources, roots, clock } = this.#setup;
    const store = await diskStore(this.#places(), { depth, nowMs: Math.floor(clock()) });
    return { store, sources, scope: "own", roots, homes: await storedHomes(store, sources) };
  }

  async #readUsage(): Promise<UsageView> {
    const { sources, clock } = this.#setup;
    const script = threadScript("walk-thread.cjs");
    const nowMs = Math.floor(clock());
    const store = await diskUsage(this.#places(), { nowMs, ...(script && { ahead: { script } }) });
    return store === "declined" ? this.read("outline") : { store, sources, scope: "own" };
  }
}
