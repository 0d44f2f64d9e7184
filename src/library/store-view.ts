import type { SessionPlace } from "../ingest/read-session.ts";
import type { Scope, Store } from "../store/store.ts";

/** A store, and which of its sessions answers are about. */
export interface StoreView extends SessionPlace {
  store: Store;
  scope: Scope;
}
