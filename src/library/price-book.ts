import { join } from "node:path";
import { codeOf, PolluxError } from "../core/error.ts";
import { readForeignText } from "../kernel/open-file.ts";
import { parsePrices } from "../queries/prices/price-file.ts";
import { PriceBook } from "../queries/prices/prices.ts";
import type { Environment } from "../sources/source.ts";
import type { Setup } from "./open-options.ts";

type Settings = Pick<Environment, "env" | "homeDir" | "platform">;

/** The user's prices and the bundled ones, read on first use. */
export function lazyPrices({
  options,
  environment,
}: Pick<Setup, "options"> & { environment: Settings }): () => PriceBook {
  let prices: PriceBook | undefined;
  return () => {
    if (prices) return prices;
    const own = readPriceFile(options.prices, environment);
    const table = own && { table: parsePrices(own.text, own.path), file: own.path };
    return (prices = new PriceBook(table));
  };
}

interface PriceFile {
  path: string;
  text: string;
}

/**
 * Reads the user's price file: the given one, else POLLUX_PRICES, else `prices.json` in the
 * settings folder if it exists.
 */
function readPriceFile(given: string | undefined, settings: Settings): PriceFile | undefined {
  const named = given ?? (settings.env["POLLUX_PRICES"] || undefined);
  const path = named ?? join(settingsFolder(settings), "prices.json");
  try {
    return { path, text: readForeignText(path) };
  } catch (error) {
    const code = codeOf(error) ?? "";
    // The default file is optional.
    if (named === undefined && (code === "ENOENT" || code === "ENOTDIR")) return undefined;
    const message = `The price file ${path} cannot be read (${code || "unknown error"}).`;
    throw new PolluxError("bad-prices", message, {
      remedy: "It comes from --prices, POLLUX_PRICES or the settings folder.",
      cause: error,
    });
  }
}

function settingsFolder({ env, homeDir, platform }: Settings): string {
  const base =
    platform === "win32"
      ? (env["APPDATA"] ?? join(homeDir, "AppData", "Roaming"))
      : env["XDG_CONFIG_HOME"] || join(homeDir, ".config");
  return join(base, "pollux");
}
