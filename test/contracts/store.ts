import type { Store } from "../../src/store/store.ts";
import { annotationsContract } from "./store-annotations.ts";
import { equalityContract } from "./store-equality.ts";
import { filesContract } from "./store-files.ts";

/** What every store has to do, whatever it is made of. `open` gives an empty one each time. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  filesContract(name, open);
  annotationsContract(name, open);
  equalityContract(name, open);
}
