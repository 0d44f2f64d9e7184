import type { IngestProgress } from "../../ingest/ingest-report.ts";
import type { OutStream } from "./writer.ts";

const WIDTH = 24;
/** Short work is not worth a bar; a long one is not worth a drawing for every step. */
const FIRST_MS = 400;
const STEP_MS = 100;

/** A bar on a terminal, drawn over itself and taken away at the end; nothing anywhere else. */
export function progressOn(
  stream: OutStream,
  clock: () => number = () => performance.now(),
): ((progress: IngestProgress) => void) | undefined {
  if (stream.isTTY !== true) return undefined;
  let nextMs = clock() + FIRST_MS;
  let isShown = false;
  return ({ doneBytes: done, totalBytes: total }) => {
    if (done >= total) {
      if (isShown) stream.write("\r\x1b[2K");
      isShown = false;
      return;
    }
    if (clock() < nextMs) return;
    nextMs = clock() + STEP_MS;
    isShown = true;
    stream.write(`\r${barOf(done / total)}`);
  };
}

function barOf(part: number): string {
  const full = Math.round(part * WIDTH);
  const bar = "█".repeat(full) + "░".repeat(WIDTH - full);
  return `${bar} ${String(Math.floor(part * 100)).padStart(3)} %`;
}
