import type { SessionPlace } from "../ingest/read-session.ts";
import type { UsageReads } from "../store/replies/usage-reads.ts";
import type { Scope, Store } from "../store/store.ts";

/** A store and the scope of answers. */
export interface StoreView extends SessionPlace {
  store: Store;
  scope: Scope;
}

/** The part of it that a usage report needs. */
export interface UsageView extends Pick<StoreView, "scope" | "sources"> {
  store: UsageReads;
}
