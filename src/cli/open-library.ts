import type { Library } from "../library.ts";
import { optional } from "../model/optional.ts";
import type { Context } from "./command.ts";
import type { Options } from "./options.ts";
import { wrongUsage } from "./options.ts";
import { demoHome } from "./package-folder.ts";

/** Opens what the common options ask for. The library is loaded here, not at the start. */
export async function openLibrary(options: Options, env: Context["env"]): Promise<Library> {
  const roots = options.list("root");
  const isDemo = options.has("demo");
  if (isDemo && roots.length > 0) throw wrongUsage("--demo and --root exclude each other.");
  const { open } = await import("../library.ts");
  const library = open({
    roots: isDemo ? [demoHome()] : roots,
    ...optional("prices", options.text("prices")),
    surroundings: { env },
  });
  const absent = roots.length > 0 ? library.roots.find(({ isFound }) => !isFound) : undefined;
  if (absent) throw wrongUsage(`--root: there is no folder "${absent.path}".`);
  return library;
}
