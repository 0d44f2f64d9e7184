import type { SessionPlace } from "../ingest/read-session.ts";
import type { UsageReads } from "../store/replies/usage-reads.ts";
import type { Scope, Store } from "../store/store.ts";

/** A store, and which of its sessions answers are about. */
export interface StoreView extends SessionPlace {
  store: Store;
  scope: Scope;
}

/** The same, as far as a report of usage needs it. */
export interface UsageView extends Pick<StoreView, "scope" | "sources"> {
  store: UsageReads;
}
