import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadContext } from "../ingest/worker.ts";
import { serveHelper, serveIngest } from "../ingest/worker.ts";
import { sources } from "../sources/index.ts";
import { machineClock } from "./clock.ts";
import { openStore } from "./open-store.ts";
import { serveReading } from "./reading-thread.ts";

// The file that threads run (see docs/decisions/0028): the ingest thread, its helper, and the
// one that reads what machines of a team send.
type Role = "ingest" | "helper" | "team";
const { role, location } = workerData as { role: Role; location?: string };
const context: ThreadContext = {
  script: fileURLToPath(import.meta.url),
  sources,
  clock: machineClock,
  open: openStore,
};
if (parentPort && role === "helper") serveHelper(parentPort, context);
else if (parentPort && location !== undefined) {
  if (role === "team") serveReading(parentPort, location, context);
  else serveIngest(parentPort, location, context);
}
