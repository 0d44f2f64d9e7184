import { wrongUsage } from "../core/error.ts";
import type { Library, OpenOptions } from "../library/library.ts";
import type { AsideOptions, QueryThread } from "../library/threads/long-questions.ts";
import { optional } from "../core/optional.ts";
import type { Context } from "./command.ts";
import type { Options } from "./options/options.ts";
import { demoHome } from "./package-folder.ts";
import { storeAddress } from "./store-address.ts";

/** Opens the library for the common options. Its code is loaded here, not at startup. */
export async function openLibrary(
  options: Options,
  env: Context["env"],
  more: Pick<
    OpenOptions,
    "progress" | "remark" | "ingest" | "firstKeep" | "agent" | "archive"
  > = {},
): Promise<Library> {
  const roots = options.list("root");
  const isDemo = options.has("demo");
  if (isDemo && roots.length > 0) throw wrongUsage("--demo and --root cannot be combined.");
  const { open } = await import("../library/library.ts");
  const library = open({
    ...placeOf(options, env),
    refresh: refreshOf(options),
    ...(await ownedStore(options, env)),
    clock: () => Date.now(),
    ...more,
  });
  const absent = roots.length > 0 ? library.roots.find(({ isFound }) => !isFound) : undefined;
  // A root that is gone from disk may still be kept.
  const isKept = absent !== undefined && !isDemo && (await library.archive.hasRoot(absent.path));
  if (absent && !isKept) throw wrongUsage(`--root: no such folder: "${absent.path}".`);
  return library;
}

/** Which sessions to read, and the store to use. */
function placeOf(options: Options, env: Context["env"]): AsideOptions {
  const isDemo = options.has("demo");
  return {
    roots: isDemo ? [demoHome()] : options.list("root"),
    ...optional("prices", options.text("prices")),
    // The demo keeps nothing, unless an archive is named.
    archive: options.text("archive") ?? (isDemo ? "none" : "default"),
    ...optional("store", isDemo ? undefined : storeAddress(options, env)),
    environment: { env: { ...env } },
  };
}

/** Opens the stored state in a separate thread. */
export async function openInThread(
  options: Options,
  env: Context["env"],
): Promise<QueryThread | undefined> {
  if (options.text("owner") !== undefined) return undefined;
  const { QueryThread: Thread } = await import("../library/threads/long-questions.ts");
  return Thread.begin(placeOf(options, env));
}

/** On a team's store: one person's sessions. That person can see the given reason. */
async function ownedStore(
  options: Options,
  env: Context["env"],
): Promise<Pick<OpenOptions, "store" | "refresh">> {
  const [owner, reason] = [options.text("owner"), options.text("reason")?.trim()];
  if (owner === undefined || options.has("demo")) return {};
  const address = storeAddress(options, env);
  if (!address) throw wrongUsage("--owner needs a team's store: name it with --store.");
  if (!reason) {
    throw wrongUsage("Reading another person's sessions needs a reason: give --reason TEXT.", {
      remedy:
        "It is recorded and shown to them. Your own sessions are in the browser and need none.",
    });
  }
  const { openOwned } = await import("../library/team/team-owners.ts");
  const store = await openOwned(address, { owner, reason, nowMs: Date.now() });
  return { store, refresh: "none" };
}

function refreshOf(options: Options): "look" | "none" | "fresh" {
  if (options.has("fresh")) return "fresh";
  // True unless `--no-refresh` was given.
  return options.has("refresh") ? "look" : "none";
}
