import { memoryStore } from "../../src/store/memory/store.ts";
import type { Store } from "../../src/store/store.ts";
import { postgresStores } from "../store/postgres-stores.ts";

const postgres = await postgresStores();

/** Every kind of store that sessions are kept in; what ingest promises holds in each. */
export const STORES: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ["memory", () => Promise.resolve(memoryStore())],
  ...(postgres.isThere ? [["PostgreSQL", postgres.open] as const] : []),
];
