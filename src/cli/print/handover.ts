import type { Carried, HandoverAnswer } from "../../library/handover.ts";
import { counted, exact } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import { fieldLines, marked } from "./width.ts";
import type { View } from "./view.ts";

/** What was handed over, what was lost, and how to continue. */
export function handoverLines(answer: HandoverAnswer, line: string, view: View): string[] {
  const { style } = view;
  const isWritten = answer.outcome === "written";
  const head = isWritten ? "Handed over to" : "Would hand over to";
  const { agent, version } = answer.to;
  const named = version === null ? agent : `${agent} ${safeLine(version)}`;
  return [
    style.bold(`${head} ${named}${isWritten ? "." : ":"}`),
    ...rowsOf(answer).flatMap(([name, value]) => fieldLines(name, value, view)),
    ...lossLines(answer, view),
    "",
    ...(isWritten ? [`Resume it:  ${style.cyan(safeLine(line))}`] : []),
    ...warningLines(answer, view),
    ...remarkLines(answer, view),
  ];
}

function rowsOf(answer: HandoverAnswer): [string, string][] {
  const place = homePath(answer.projectPath) + (answer.isProjectThere ? "" : " (does not exist)");
  return [
    ["from", `${safeLine(answer.from.sessionId)} of ${safeLine(answer.from.agent)}`],
    ["session", safeLine(answer.sessionId)],
    ["title", safeLine(answer.title)],
    ["project", place],
    ["file", homePath(answer.file)],
    ...answer.alsoWritten.map((path): [string, string] => ["with it", homePath(path)]),
    ["carries", carriedText(answer.carried)],
    ["size", `about ${exact(answer.tokens)} tokens`],
    ["secrets", secretsText(answer)],
  ];
}

function secretsText({ secretsMasked }: HandoverAnswer): string {
  if (secretsMasked === null) return "not masked";
  return secretsMasked === 0 ? "none found" : `${exact(secretsMasked)} masked`;
}

function carriedText({ summaries, prompts, answers, calls, pictures }: Carried): string {
  const parts = [
    ...(summaries > 0 ? [counted(summaries, "summary", "summaries")] : []),
    counted(prompts, "prompt"),
    counted(answers, "answer"),
    ...(calls > 0 ? [counted(calls, "tool call")] : []),
    ...(pictures > 0 ? [counted(pictures, "picture")] : []),
  ];
  return parts.join(", ");
}

function lossLines({ losses }: HandoverAnswer, { style, columns }: View): string[] {
  if (losses.length === 0) return [];
  const lines = losses.map(({ what, count, why }) => `${counted(count, what)}: ${why}`);
  return ["", "Left out or changed:", ...lines.flatMap((text) => marked("-", text, columns))].map(
    (text) => style.dim(text),
  );
}

function warningLines(answer: HandoverAnswer, { style, columns }: View): string[] {
  const { agent, program } = answer.to;
  const [command = ""] = answer.command;
  const warnings: string[] = [];
  if (program === null) {
    const isWritten = answer.outcome === "written";
    const wanted = isWritten ? "" : " If it is installed elsewhere, give --into or --for.";
    warnings.push(`${safeLine(command)} was not found on your PATH.${wanted}`);
  }
  if (!answer.isProjectThere) {
    warnings.push(
      `The project's directory does not exist, and ${agent} must be started in it. ` +
        "Use --project to name another one.",
    );
  }
  return warnings.flatMap((text) => marked(style.yellow("!"), text, columns));
}

function remarkLines(answer: HandoverAnswer, { style, columns }: View): string[] {
  const { outcome, remarks, sessionId } = answer;
  const texts = [
    "The first request sends the whole conversation; none of it is cached yet.",
    ...remarks,
    ...(outcome === "written"
      ? [`\`pollux handover --undo ${safeLine(sessionId)}\` removes it again.`]
      : []),
  ];
  return texts.flatMap((text) => marked("-", text, columns)).map((text) => style.dim(text));
}
