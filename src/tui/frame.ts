import { agentName } from "../cli/print/agent.ts";
import { counted, exact, timeOfDay } from "../cli/print/figures.ts";
import { progressText } from "../cli/print/progress.ts";
import { safeLine } from "../cli/print/safe.ts";
import type { Style } from "../cli/print/style.ts";
import { willBeDeleted } from "../queries/doctor/deletion.ts";
import type { LatestAnswer } from "./latest-answer.ts";
import type { Part } from "./draw.ts";
import { endsOf, rowOf, widthOf } from "./draw.ts";
import type { HomeLibrary } from "./home-library.ts";
import { PERIODS } from "./periods.ts";
import type { Safety } from "./safety.ts";
import type { Hint, HomeContext, HomeScope } from "./screen.ts";

/** Product name, filters, periods and time. */
export function headerLine(width: number, home: HomeContext): string {
  const { style, scope } = home;
  const dim = (text: string): string => style.dim(text);
  const left: Part[] = [
    [" Pollux", (text) => style.bold(style.cyan(text))],
    ["   "],
    ...filters(scope, { style, isRoomy: width >= 92 }),
  ];
  const time = width >= 90 ? `   ${timeOfDay(home.now().toISOString())} ` : " ";
  const names: Part[] =
    width >= 80
      ? PERIODS.flatMap((period, at): Part[] => [
          [at === 0 ? "" : " "],
          period === scope.period
            ? [`[${period}]`, (text) => style.bold(text)]
            : [` ${period} `, dim],
        ])
      : [[`[${scope.period}]`, (text) => style.bold(text)]];
  return endsOf(width, left, [["‹", dim], ...names, ["›", dim], [time, dim]]);
}

/** The active filters; on narrow terminals only those that are set. */
function filters(
  { source, project }: HomeScope,
  { style, isRoomy }: { style: Style; isRoomy: boolean },
): Part[] {
  const name = project?.split(/[\\/]/).findLast((part) => part !== "");
  const parts: Part[] = [];
  if (source !== undefined) parts.push([safeLine(agentName(source)), (text) => style.yellow(text)]);
  else if (isRoomy) parts.push(["all agents", (text) => style.dim(text)]);
  if (name !== undefined) parts.push(["   "], [safeLine(name), (text) => style.yellow(text)]);
  else if (isRoomy) parts.push(["   "], ["all projects", (text) => style.dim(text)]);
  return parts;
}

/** One line: the progress of keeping, or what is kept and what is at risk. */
export function safetyLine(
  width: number,
  {
    style,
    safety,
    progress,
    nowMs,
  }: {
    style: Style;
    safety: Pick<LatestAnswer<Safety>, "value" | "error">;
    progress: HomeLibrary["progress"];
    nowMs: number;
  },
): string {
  if (progress) {
    const elapsedMs = nowMs - progress.sinceMs;
    const text = progressText(progress, { elapsedMs, columns: width - 2 });
    return rowOf(width, [[` ${text}`, (part) => style.cyan(part)]]);
  }
  if (safety.error !== undefined) {
    const text = ` ! The archive's state could not be read: ${safeLine(safety.error)}`;
    return rowOf(width, [[text, (part) => style.yellow(part)]]);
  }
  if (!safety.value) return "";
  const { sessions, deletion, unkeptFiles } = safety.value;
  const isUnused = unkeptFiles === null;
  const archived = `${counted(sessions, "session")}${isUnused ? ", none archived" : " archived"}`;
  const isBehind = !isUnused && unkeptFiles > 0;
  const unkept = isBehind ? `, ${counted(unkeptFiles, "file")} not yet` : "";
  const deleted = willBeDeleted(
    deletion.sessions,
    deletion.agents.map(({ name }) => name),
  );
  // If none is archived, that has been said.
  const message = isUnused ? `${deleted}.` : deletion.message;
  const risk = deletion.tone === "none" ? "" : `; ${message}`;
  const isSafe = deletion.tone !== "loud" && unkept === "";
  const all = `${archived}${unkept}${risk}`;
  // If space is short, what may be lost comes first.
  const lost = `${exact(deletion.sessions)} to be deleted, ${exact(deletion.notKept)} not archived`;
  const choices = risk === "" ? [all] : [all, deletion.message, lost];
  const shown = choices.find((text) => widthOf(text) + 3 <= width) ?? choices.at(-1) ?? "";
  return rowOf(width, [
    [isSafe ? " ✓ " : " ! ", (text) => (isSafe ? style.green(text) : style.yellow(text))],
    [safeLine(shown), (text) => (isSafe ? style.dim(text) : style.yellow(text))],
  ]);
}

/** As many hints as fit; the last one is always shown. */
export function hintLine(width: number, hints: readonly Hint[], style: Style): string {
  const shown: Hint[] = [];
  const last = hints.at(-1);
  let left = width - 2 - (last ? hintWidth(last) : 0);
  for (const hint of hints.slice(0, -1)) {
    left -= hintWidth(hint) + 3;
    if (left < 0) break;
    shown.push(hint);
  }
  const parts = [...shown, ...(last ? [last] : [])].flatMap(([key, what], at): Part[] => [
    [at === 0 ? " " : "   "],
    [key, (text) => style.cyan(text)],
    [` ${what}`, (text) => style.dim(text)],
  ]);
  return rowOf(width, parts);
}

function hintWidth([key, what]: Hint): number {
  return widthOf(key) + 1 + widthOf(what);
}
