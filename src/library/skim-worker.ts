import { setFlagsFromString } from "node:v8";
import { parentPort } from "node:worker_threads";
import type { SkimShare } from "../ingest/second-skim.ts";
import { skimShare } from "../ingest/skim-threads.ts";
import { sumFile } from "../ingest/sum-homes.ts";
import type { SumsTold } from "./price-book.ts";
import { loadPrices } from "./price-book.ts";
import { Calendar } from "../queries/calendar.ts";
import { sumDays } from "../queries/day-sums.ts";
import { sources } from "../sources/index.ts";

// The second thread of a skim: it adds up every other file. A new thread has set one of the
// engine's flags back, for all threads (see cli/pollux.ts).
setFlagsFromString("--semi-space-growth-factor=1");
// While it waits for its work, it makes ready what it will work with.
for (const { skimRoom } of sources) skimRoom?.(1);
parentPort?.once("message", (share: SkimShare) => void skimAlong(share));

async function skimAlong(share: SkimShare): Promise<void> {
  const { timezone, own } = share.told as SumsTold;
  const calendar = new Calendar(timezone);
  const prices = await loadPrices(own);
  const sums = skimShare(share, (one, skimmed) => {
    return sumFile(one, skimmed, (digest) => sumDays(digest, calendar, prices));
  });
  // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(sums);
}
