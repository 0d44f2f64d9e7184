import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadContext } from "../ingest/worker.ts";
import { serveHelper, serveIngest } from "../ingest/worker.ts";
import { sources } from "../sources/index.ts";
import { machineClock } from "./clock.ts";
import { openStore } from "./open-store.ts";

// The file that threads run (see docs/decisions/0028): the ingest thread, and its helper.
const { role, location } = workerData as { role: "ingest" | "helper"; location?: string };
const context: ThreadContext = {
  script: fileURLToPath(import.meta.url),
  sources,
  clock: machineClock,
  open: openStore,
};
if (parentPort && role === "helper") serveHelper(parentPort, context);
else if (parentPort && location !== undefined) serveIngest(parentPort, location, context);
