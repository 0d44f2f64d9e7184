import type { SessionPlace } from "../ingest/read-session.ts";
import type { Root } from "../sources/source.ts";
import type { UsageReads } from "../store/replies/usage-reads.ts";
import type { Scope, Store } from "../store/store.ts";

/** A store, the scope of answers, and the roots that were searched for sessions. */
export interface StoreView extends SessionPlace {
  store: Store;
  scope: Scope;
  roots: readonly Root[];
}

/** The part of it that a usage report needs. */
export interface UsageView extends Pick<StoreView, "scope" | "sources"> {
  store: UsageReads;
}
