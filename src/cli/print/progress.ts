import type { IngestProgress } from "../../ingest/ingest-report.ts";
import { exact, size } from "./figures.ts";
import { safeLine } from "./safe.ts";
import { fit } from "./width.ts";
import type { OutStream } from "./writer.ts";

const WIDTH = 20;
/** Short work shows no bar; long work does not redraw for every step. */
const FIRST_MS = 400;
const STEP_MS = 100;

/** A progress bar on a terminal, removed at the end; undefined elsewhere. */
export function progressOn(stream: OutStream): ((progress: IngestProgress) => void) | undefined {
  if (stream.isTTY !== true) return undefined;
  let beganMs: number | undefined;
  let nextMs = 0;
  let isShown = false;
  return (progress) => {
    const nowMs = performance.now();
    if (progress.doneBytes >= progress.totalBytes) {
      if (isShown) stream.write("\r\x1b[2K");
      isShown = false;
      beganMs = undefined;
      return;
    }
    beganMs ??= nowMs;
    const elapsedMs = nowMs - beganMs;
    if (elapsedMs < FIRST_MS || nowMs < nextMs) return;
    nextMs = nowMs + STEP_MS;
    isShown = true;
    const columns = (stream.columns ?? 80) - 1;
    stream.write(`\r\x1b[2K${progressText(progress, { elapsedMs, columns })}`);
  };
}

/** `keeping ███░░ 64 %  512 of 800 files  45.2 MB/s  12 s left  Codex`, cut to the width. */
export function progressText(
  { work, agent, doneBytes, totalBytes, doneFiles, totalFiles }: IngestProgress,
  { elapsedMs, columns }: { elapsedMs: number; columns: number },
): string {
  const part = totalBytes === 0 ? 1 : doneBytes / totalBytes;
  const full = Math.round(part * WIDTH);
  const bar = "█".repeat(full) + "░".repeat(WIDTH - full);
  const perSecond = (1000 * doneBytes) / Math.max(1, elapsedMs);
  const left = Math.ceil((totalBytes - doneBytes) / Math.max(1, perSecond));
  const parts = [
    `${work} ${bar} ${String(Math.floor(part * 100)).padStart(3)} %`,
    ...(totalFiles > 0 ? [`${exact(doneFiles)} of ${exact(totalFiles)} files`] : []),
    ...(elapsedMs < FIRST_MS || doneBytes === 0 ? [] : [`${size(Math.round(perSecond))}/s`]),
    ...(elapsedMs < FIRST_MS || doneBytes === 0 ? [] : [`${remaining(left)} left`]),
    ...(agent === undefined ? [] : [safeLine(agent)]),
  ];
  while (parts.length > 1 && parts.join("  ").length > columns) parts.pop();
  return fit(parts.join("  "), columns);
}

function remaining(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
