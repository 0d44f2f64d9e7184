import type { Store } from "../../src/store/store.ts";
import { annotationsContract } from "./store-annotations.ts";
import { equalityContract } from "./store-equality.ts";
import { filesContract } from "./store-files.ts";

/** Tests that every store must pass. `open` returns an empty store each time. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  filesContract(name, open);
  annotationsContract(name, open);
  equalityContract(name, open);
}
