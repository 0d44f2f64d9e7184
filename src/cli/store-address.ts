import type { Context } from "./command.ts";
import type { Options } from "./options/options.ts";
import { wrongUsage } from "./options/options.ts";

/**
 * The address of a database, as `--store` and `POLLUX_STORE` name it; where its bytes go
 * (`--bytes`, `POLLUX_BYTES`) is a part of it. Nothing when an archive is meant.
 */
export function storeAddress(options: Options, env: Context["env"]): string | undefined {
  const archive = options.text("archive");
  const store = options.text("store") ?? (archive === undefined ? env["POLLUX_STORE"] : undefined);
  const bytes = options.text("bytes") ?? env["POLLUX_BYTES"];
  if (archive !== undefined && store !== undefined) {
    throw wrongUsage("--archive and --store exclude each other.");
  }
  if (!store && options.text("bytes") !== undefined) {
    throw wrongUsage("--bytes says where bytes of a database go: name it with --store.");
  }
  if (!store || !bytes) return store || undefined;
  return `${store}${store.includes("?") ? "&" : "?"}bytes=${encodeURIComponent(bytes)}`;
}
