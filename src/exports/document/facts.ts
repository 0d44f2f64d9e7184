import type { TokenSums } from "../../core/rows/summary.ts";
import type { RedactionCounts } from "../../queries/redaction/masker.ts";
import { summarise } from "../../core/rows/summarise.ts";
import type { ExportedSession } from "../export.ts";
import { firstLineOf } from "../plain-text.ts";

/** Name and value pairs for the head of a document, in order. */
export function headFacts(exported: ExportedSession): [name: string, value: string][] {
  const { session, agent, tokens } = exported;
  const summary = summarise(session);
  const { project } = summary;
  const facts: [string, string | undefined][] = [
    ["Project", project.path === null ? project.name : `${project.name} (${project.path})`],
    ["When", spanOf(summary.startedAt, summary.updatedAt)],
    ["Program", agent.name],
    ["Models", summary.models.join(", ")],
    ["Outcome", summary.status],
    ["Prompts", String(summary.prompts)],
    ["Tool calls", callsOf(summary.toolCalls)],
    ["Tokens", tokensOf(tokens)],
    ["Session", session.id],
  ];
  return facts.flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, firstLineOf(value, 300)]],
  );
}

export function titleFor(exported: ExportedSession): string {
  return firstLineOf(summarise(exported.session).title ?? `Session ${exported.session.id}`, 120);
}

/** `2026-02-10 17:28 – 17:36 UTC` */
function spanOf(from: string | null, to: string | null): string | undefined {
  const [start, end] = [from, to].map((time) => time?.slice(0, 16).replace("T", " "));
  if (start === undefined) return undefined;
  if (end === undefined || end === start) return `${start} UTC`;
  const isSameDay = end.slice(0, 10) === start.slice(0, 10);
  return `${start} – ${isSameDay ? end.slice(11) : end} UTC`;
}

function callsOf(counts: { total: number; error: number; cancelled: number }): string {
  const { total, error, cancelled } = counts;
  const more = [
    ...(error > 0 ? [`${error} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  return more.length === 0 ? String(total) : `${total} (${more.join(", ")})`;
}

function tokensOf({ input, cached, output, thoughts, total }: TokenSums): string | undefined {
  if (total === null) return undefined;
  const parts = [
    input === null ? "" : `${count(input)} in${cached ? ` (${count(cached)} cached)` : ""}`,
    output === null ? "" : `${count(output)} out`,
    thoughts === null ? "" : `${count(thoughts)} thoughts`,
    `${count(total)} in all`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

export function count(number: number): string {
  return number.toLocaleString("en-US");
}

/** `Masked: 2 secrets (google-api-key 1, jwt 1), 12 home paths, 3 account names.` */
export function redactionLine({ secrets, homePaths, userNames }: RedactionCounts): string {
  const values = secrets.reduce((sum, secret) => sum + secret.values, 0);
  const kinds = secrets.map(({ kind, values: different }) => `${kind} ${different}`).join(", ");
  const found = values === 0 ? "no secrets" : `${plural(values, "secret")} (${kinds})`;
  const people = `${plural(homePaths, "home path")}, ${plural(userNames, "account name")}`;
  return `Masked: ${found}, ${people}.`;
}

function plural(number: number, word: string): string {
  return `${count(number)} ${word}${number === 1 ? "" : "s"}`;
}

/** `17:28:03` */
export function clockTime(at: string | undefined): string {
  return at === undefined ? "" : at.slice(11, 19);
}
