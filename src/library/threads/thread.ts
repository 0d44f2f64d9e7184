import { fileURLToPath } from "node:url";
import type { MessagePort } from "node:worker_threads";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadContext } from "../../ingest/threads/worker.ts";
import { serveHelper, serveIngest } from "../../ingest/threads/worker.ts";
import { sources } from "../../sources/index.ts";
import { machineClock } from "../clock.ts";
import type { AsideOptions } from "./long-questions.ts";
import { serveQuestions } from "./long-questions.ts";
import { openStore } from "../open-store.ts";
import { serveReading } from "./reading-thread.ts";

// The file that threads run (see docs/decisions/0028): the ingest thread, its helper, the thread
// that reads files sent by a team's machines, and the thread that answers long queries.
type Role = "ingest" | "helper" | "team" | "questions";
const { role, location, options } = workerData as {
  role: Role;
  location?: string;
  options?: AsideOptions;
};
const context: ThreadContext = {
  script: fileURLToPath(import.meta.url),
  sources,
  clock: machineClock,
  open: openStore,
};
if (parentPort && role === "helper") serveHelper(parentPort, context);
else if (parentPort && role === "questions") void serveLongQuestions(parentPort);
else if (parentPort && location !== undefined) {
  if (role === "team") serveReading(parentPort, location, context);
  else serveIngest(parentPort, location, context);
}

async function serveLongQuestions(port: MessagePort): Promise<void> {
  const { open } = await import("../library.ts");
  serveQuestions(port, open({ ...options, refresh: "none", clock: machineClock }));
}
