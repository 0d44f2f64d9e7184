import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { commitStep } from "./commit-plan.ts";

/** A separate process: `committer ARCHIVE SEED NAME FROM TO`. Prints each completed commit. */
const [path = "", seed, name = "", from, to] = process.argv.slice(2);
const store = await openSqliteStore(path, { reader: 1 });
process.stdout.write("open\n");
for (let step = Number(from); step < Number(to); step += 1) {
  await commitStep(store, { seed: Number(seed), name }, step);
  process.stdout.write(`${step}\n`);
}
await store.close();
