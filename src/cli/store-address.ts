import { wrongUsage } from "../core/error.ts";
import type { Context } from "./command.ts";
import type { Options } from "./options/options.ts";

/**
 * The database URL from `--store` or `POLLUX_STORE`, including where bytes are stored (`--bytes`,
 * `POLLUX_BYTES`). Undefined if a local archive is used.
 */
export function storeAddress(options: Options, env: Context["env"]): string | undefined {
  const archive = options.text("archive");
  const store = options.text("store") ?? (archive === undefined ? env["POLLUX_STORE"] : undefined);
  const bytes = options.text("bytes") ?? env["POLLUX_BYTES"];
  if (archive !== undefined && store !== undefined) {
    throw wrongUsage("--archive and --store cannot be combined.");
  }
  if (!store && options.text("bytes") !== undefined) {
    throw wrongUsage("--bytes needs a database: name it with --store.");
  }
  if (!store || !bytes) return store || undefined;
  return `${store}${store.includes("?") ? "&" : "?"}bytes=${encodeURIComponent(bytes)}`;
}
