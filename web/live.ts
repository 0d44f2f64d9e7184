import { effect } from "@preact/signals";
import { AskError, bearer, generation, line, moves, refused } from "./ask.ts";
import { token } from "./key.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** The server sends something every twenty seconds; silence means the connection is dead. */
const SILENCE_MS = 50_000;

/** Listens to the server while the page is open, and reconnects after interruptions. */
export function followServer(): void {
  let stop = new AbortController();
  effect(() => {
    stop.abort();
    stop = new AbortController();
    void keepListening(token.value, stop.signal);
  });
}

async function keepListening(key: string, signal: AbortSignal): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      await listen(key, signal, () => (waitMs = FIRST_WAIT_MS));
    } catch (error) {
      if (signal.aborted) return;
      const isLocked = error instanceof AskError && error.status === 401;
      line.value = isLocked ? "locked" : "lost";
      // A wrong token stays wrong; a new token restarts this.
      if (isLocked) return;
    }
    await pause(waitMs);
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
}

async function listen(key: string, signal: AbortSignal, heard: () => void): Promise<void> {
  const dead = new AbortController();
  const headers = bearer(key);
  const both = AbortSignal.any([signal, dead.signal]);
  const response = await fetch("/api/live", { headers, signal: both, redirect: "manual" });
  if (!response.ok) throw await refused(response);
  if (!response.body) throw new AskError(0, {});
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let silence = setTimeout(() => dead.abort(), SILENCE_MS);
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new AskError(0, {});
      clearTimeout(silence);
      silence = setTimeout(() => dead.abort(), SILENCE_MS);
      heard();
      const events = (text + value).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) hear(event);
    }
  } finally {
    clearTimeout(silence);
  }
}

/** `event: changed` and `data: {"generation":3}`, on two lines. */
function hear(event: string): void {
  const name = /^event: (\w+)$/m.exec(event)?.[1];
  if (name === "moved") moves.value += 1;
  if (name === "changed") generation.value += 1;
  if (name !== "hello") return;
  // After a reconnect, the shown data may be outdated.
  if (line.value !== "open") generation.value += 1;
  line.value = "open";
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
