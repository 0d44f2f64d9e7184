import type { Coverage } from "../../queries/coverage.ts";
import type { Library } from "../../library/library.ts";
import { sources } from "../../sources/index.ts";
import type { Root } from "../../sources/source.ts";
import { counted } from "./figures.ts";
import { safeLine } from "./safe.ts";
import type { Style } from "./style.ts";
import { pad, widthOf } from "./width.ts";

/** Shown if there are no sessions: which folders were searched, and what to do. */
export function emptyLines(
  roots: readonly Root[],
  { files, diagnostics }: Pick<Coverage, "files" | "diagnostics">,
  style: Style,
): string[] {
  const names = sources.map(({ name }) => name);
  const programs = new Intl.ListFormat("en", { type: "disjunction" }).format(names);
  const paths = roots.map(({ path }) => safeLine(path));
  const width = Math.max(...paths.map(widthOf), 0);
  const places = roots.map(({ because, isFound }, at) => {
    const state = isFound ? "no sessions in it" : "does not exist";
    return `  ${pad(paths[at] ?? "", width)}  ${style.dim(`${safeLine(because)}, ${state}`)}`;
  });
  const unread =
    files + diagnostics.length > 0
      ? ["", `${counted(files, "file")} could not be read. See ${style.bold("pollux doctor")}.`]
      : [];
  const none = style.bold("No sessions found.");
  if (roots.length === 0) return [none, ...unread];
  return [
    none,
    "",
    "Searched:",
    ...places,
    ...unread,
    "",
    `Sessions appear here when you use ${programs} on this machine.`,
    `To read another folder:        ${style.cyan("pollux --root FOLDER")}`,
    `To try Pollux with demo data:  ${style.cyan("pollux --demo")}`,
    `From a checkout:               ${style.cyan("npm start -- --demo")}`,
  ];
}

/** The same, or undefined if there are sessions and only none that match. */
export async function emptyLinesOf(library: Library, style: Style): Promise<string[] | undefined> {
  const { sessions, savedChats, promptLogs, coverage } = await library.sessions({ limit: 1 });
  const isEmpty = sessions.length + savedChats.length + promptLogs.length === 0;
  return isEmpty ? emptyLines(library.roots, coverage, style) : undefined;
}
