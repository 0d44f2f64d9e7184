import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interruptible.ts";
import type { Library } from "../../library/library.ts";
import { optional } from "../../core/optional.ts";
import { counted, size, timeOfDay } from "../print/figures.ts";
import { jsonLine } from "../print/json.ts";
import { homePath } from "../print/path.ts";

/** What `--json` prints of each change that was kept, on a line of its own. */
export interface KeptChange {
  at: string;
  files: number;
  bytes: number;
}

export const command: Command = {
  about:
    "Runs until Control-C. Uses change notifications of the operating system instead of " +
    "polling. `pollux service` starts it at login.",
  options: [{ flags: "-q, --quiet", about: "print only errors" }],
  examples: [
    { line: "watch", about: "archive continuously" },
    { line: "watch --quiet", about: "print only errors" },
    {
      line: "watch --json",
      about: "for programs: a JSON object per line, whenever files are kept",
    },
  ],
  async run(context) {
    const library = await context.library();
    const { watchPaths } = await import("../../ingest/watch.ts");
    // Fails early if there is nothing to watch.
    const archive = library.archive.path;
    const end = new AbortController();
    const send = await senderOf(library, context);
    const keep = async (): Promise<void> => {
      await keepNow(library, { context, end });
      await send();
    };
    const places = library.archive.watched();
    const watching = watchPaths(places, keep);
    const ended = interrupted(end);
    await keepAll(context, ended);
    await send();
    if (!context.options.has("quiet")) {
      const what = `Watching ${counted(places.length, "folder")}`;
      await context.err.line(`${what}, archiving to ${homePath(archive)}. Control-C stops it.`);
    }
    await ended;
    await watching.close();
    await library.close();
    return EXIT.ok;
  },
};

/**
 * Keeps existing sessions in a separate process: keeping a whole home needs memory that this
 * long-running process would not release.
 */
async function keepAll(context: Context, ended: Promise<void>): Promise<void> {
  const { options, err, isJson } = context;
  const [script = ""] = process.argv.slice(1);
  const [archive, store] = [options.text("archive"), options.text("store")];
  const args = [
    ...options.list("root").flatMap((root) => ["--root", root]),
    ...(archive === undefined ? [] : ["--archive", archive]),
    ...(options.has("demo") ? ["--demo"] : []),
    ...(options.has("quiet") || isJson ? ["--quiet"] : []),
  ];
  const child = spawn(process.execPath, [script, "keep", ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    // Passed by environment, because arguments are visible to others and the URL may hold a
    // password.
    env: { ...process.env, ...optional("POLLUX_STORE", store) },
  });
  void ended.then(() => child.kill());
  try {
    await once(child, "close");
  } catch (error) {
    // The next change tries again, in this process.
    await err.line(`pollux: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function keepNow(
  library: Library,
  { context, end }: { context: Context; end: AbortController },
): Promise<void> {
  const { out, err, options, isJson } = context;
  const now = new Date();
  try {
    const done = await interruptible(() => library.archive.keepChanges(now.getTime()));
    if (!done) return end.abort();
    const roots = done.result;
    const files = roots.reduce((sum, root) => sum + root.added + root.appended + root.replaced, 0);
    const bytes = roots.reduce((sum, root) => sum + root.bytes, 0);
    if (files === 0 || options.has("quiet")) return;
    const change: KeptChange = { at: now.toISOString(), files, bytes };
    if (isJson) return await out.line(jsonLine(change));
    await err.line(`${timeOfDay(now.toISOString())}  ${counted(files, "file")}, ${size(bytes)}`);
  } catch (error) {
    // The next change tries again; a full disk may have space by then.
    await err.line(`pollux: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const SEND_EVERY_MS = 120_000;

/**
 * Sends to the team if this machine is enrolled: at most every two minutes, with jitter so that
 * machines do not send at the same time.
 */
async function senderOf(library: Library, context: Context): Promise<() => Promise<void>> {
  const { err, options, env } = context;
  if (options.text("store") ?? env["POLLUX_STORE"]) return async () => undefined;
  const sync = await library.archive.sync();
  // Monotonic time: with the time of day, setting the clock back would stop sending.
  let nextMs = 0;
  return async () => {
    if (!sync.status.isEnrolled || performance.now() < nextMs) return;
    nextMs = performance.now() + SEND_EVERY_MS * (0.5 + Math.random());
    try {
      await sync.send();
    } catch (error) {
      // The archive has everything; the next change tries again.
      await err.line(`pollux: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/** Waits for Ctrl-C, or for a stop while something is kept. */
function interrupted(end: AbortController): Promise<void> {
  return new Promise((resolve) => {
    if (end.signal.aborted) resolve();
    end.signal.addEventListener("abort", () => resolve());
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
