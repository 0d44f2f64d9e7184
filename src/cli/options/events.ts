import { wrongUsage } from "../../core/error.ts";
import type { EventExtra } from "../../queries/events/event.ts";
import { EVENT_EXTRAS } from "../../queries/events/event.ts";
import type { OptionSpec } from "../command.ts";
import type { Options } from "./options.ts";

export const EXTRAS_OPTION: OptionSpec = {
  flags: "--with <kinds>",
  about: `additional events, separated by commas: ${EVENT_EXTRAS.join(", ")}`,
};

/** `--with text,usage` */
export function extrasOf(options: Options): EventExtra[] {
  const words = (options.text("with") ?? "").split(",").map((word) => word.trim());
  return words
    .filter((word) => word !== "")
    .map((word) => {
      const extra = EVENT_EXTRAS.find((item) => item === word);
      if (extra) return extra;
      throw wrongUsage(`--with: unknown kind of event "${word}".`, {
        remedy: `Use ${EVENT_EXTRAS.join(", ")}.`,
      });
    });
}
