import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Applies colours and weights, or none. */
export class Style {
  readonly mode: "colour" | "plain";

  constructor(mode: "colour" | "plain") {
    this.mode = mode;
  }

  bold(text: string): string {
    return this.#as("bold", text);
  }

  dim(text: string): string {
    return this.#as("dim", text);
  }

  red(text: string): string {
    return this.#as("red", text);
  }

  green(text: string): string {
    return this.#as("green", text);
  }

  yellow(text: string): string {
    return this.#as("yellow", text);
  }

  cyan(text: string): string {
    return this.#as("cyan", text);
  }

  magenta(text: string): string {
    return this.#as("magenta", text);
  }

  blue(text: string): string {
    return this.#as("blue", text);
  }

  /** Inverted colours, for the selected line. */
  inverse(text: string): string {
    return this.#as("inverse", text);
  }

  #as(format: Format, text: string): string {
    if (this.mode === "plain" || text === "") return text;
    return styleText(format, text, { validateStream: false });
  }
}

/** Colour on terminals only, unless the environment or the user decides otherwise. */
export function colourMode(asked: {
  isTerminal: boolean;
  isRefused: boolean;
  env: Readonly<Record<string, string | undefined>>;
}): Style["mode"] {
  const { env } = asked;
  if (asked.isRefused || (env["NO_COLOR"] ?? "") !== "") return "plain";
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced === "0" || forced === "false" ? "plain" : "colour";
  return asked.isTerminal && env["TERM"] !== "dumb" ? "colour" : "plain";
}
