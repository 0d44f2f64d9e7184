import { addAll } from "../../core/lists.ts";
import type { SessionSummary } from "../../core/rows/summary.ts";
import type { MessageAnswer, NeighbourSession, Transcript } from "../../queries/transcript.ts";
import { agentName } from "./agent.ts";
import { counted, duration, exact, fullMoment, timeOfDay } from "./figures.ts";
import type { MessageView } from "./message.ts";
import { messageLines } from "./message.ts";
import { ownText } from "./annotations.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import { paintStatus } from "./session-list.ts";
import type { Style } from "./style.ts";
import { wrap } from "./width.ts";

export interface TranscriptView extends Omit<MessageView, "session"> {
  /** Subagents of the session that no call names. */
  agents: readonly string[];
}

/** A session for reading: its head, its messages, and a note on what is hidden. */
export function* transcriptLines(transcript: Transcript, view: TranscriptView): Generator<string> {
  yield* headLines(transcript, view);
  for (const { lines } of messageBlocks(transcript, view)) yield* lines;
  yield* foldedLines(transcript.messages, view);
}

/** The lines of each message; messages without visible lines are left out. */
export function* messageBlocks(
  transcript: Transcript,
  view: TranscriptView,
): Generator<{ message: MessageAnswer; lines: string[] }> {
  const { session, messages } = transcript;
  const isShown = ({ standing }: MessageAnswer): boolean =>
    standing === "live" || view.unfolded.has("taken-back");
  let before: { speaker: string; message: MessageAnswer } | undefined;
  for (const message of messages) {
    if (message.compression !== null) {
      const text = `── ${COMPRESSED[message.compression]} ──`;
      const lines = wrap(text, view.columns).map((line) => view.style.dim(line));
      yield { message, lines: ["", ...lines] };
      before = undefined;
    }
    if (!isShown(message)) continue;
    const body = messageLines(message, { ...view, session });
    if (body.length === 0) continue;
    if (before?.message.isInherited === true && !message.isInherited) {
      yield { message, lines: [...borderLines(transcript, view)] };
      before = undefined;
    }
    const speaker = speakerOf(message, session);
    const lines: string[] = [];
    // A model that continues after its tool results is the same speaker.
    const isNew = message.isPrompt || speaker !== before?.speaker;
    const isAnswer = message.text !== "" && before?.message.toolCalls.length !== 0;
    if (isNew || isAnswer) lines.push("");
    if (isNew && speaker !== "") lines.push(heading(message, speaker, view.style));
    if (message.own) lines.push(view.style.yellow(ownText(message.own)));
    for (const line of body) lines.push(message.standing === "live" ? line : view.style.dim(line));
    yield { message, lines };
    before = { speaker, message };
  }
}

const COMPRESSED: Readonly<Record<NonNullable<MessageAnswer["compression"]>, string>> = {
  summary: "compressed: a summary replaced the conversation so far",
  split: "compressed: the summary was not recorded; the session continues in another file",
  notice: "compressed: the summary was not recorded",
};

function speakerOf(message: MessageAnswer, { kind }: SessionSummary): string {
  const { author, model, isPrompt, injections, standing, reason } = message;
  const isTask = kind === "subagent" && injections.some((item) => item.kind === "delegation");
  const isContext = author === "user" && !isPrompt && injections.length > 0 && !isTask;
  if ((author === "notice" || isContext) && standing === "live") return "";
  const who =
    author === "model" ? safeLine(model ?? "model") : author === "user" ? "You" : "Notice";
  const name = isTask ? "Task" : isContext ? "Context" : who;
  if (standing === "live") return name;
  return `${name}, ${standing}${reason === null ? "" : ` (${reason.replaceAll("-", " ")})`}`;
}

function heading({ author, at, standing }: MessageAnswer, speaker: string, style: Style): string {
  const time = style.dim(timeOfDay(at));
  if (standing !== "live") return `${style.yellow(speaker)} ${time}`.trimEnd();
  const name = author === "user" ? style.cyan(speaker) : style.green(speaker);
  return `${style.bold(name)} ${time}`.trimEnd();
}

/** Marks the end of the part that was handed over from another agent. */
function* borderLines({ continues }: Transcript, { style }: TranscriptView): Generator<string> {
  const [from] = continues.filter(({ how }) => how === "handover");
  if (!from) return;
  const agent = from.source === null ? "another agent" : agentName(from.source);
  yield "";
  yield style.dim(`── handed over from ${agent}, session ${safeLine(from.id)} ──`);
}

/** The title of a session and the facts about it. */
export function* headLines(transcript: Transcript, view: TranscriptView): Generator<string> {
  const { session } = transcript;
  const { style, columns } = view;
  yield* wrap(safeLine(session.title ?? "(no title)"), columns).map((line) => style.bold(line));
  const agents = view.agents.map(safeLine).join(", ");
  const facts = factsOf(session, style);
  addAll(facts, besideFacts(transcript));
  if (agents !== "") facts.push(["agents", agents]);
  for (const [name, text] of facts) {
    const [first = "", ...more] = wrap(text, columns - NAME_WIDTH);
    yield `${style.dim(name.padEnd(NAME_WIDTH))}${first}`;
    for (const line of more) yield " ".repeat(NAME_WIDTH) + line;
  }
}

const NAME_WIDTH = 10;

/** The sessions that it continues, and those that continue it. */
function besideFacts({ continues, continuedBy }: Transcript): [name: string, text: string][] {
  const describe = ({ id, how, source, title }: NeighbourSession): string => {
    const agent = source === null ? "" : ` of ${agentName(source)}`;
    const words = title === null ? "" : `: ${safeLine(title)}`;
    return `${safeLine(id)}${agent} (${how.replaceAll("-", " ")})${words}`;
  };
  return [
    ...(continues.length > 0
      ? [["from", continues.map(describe).join("\n")] as [string, string]]
      : []),
    ...(continuedBy.length > 0
      ? [["went on", continuedBy.map(describe).join("\n")] as [string, string]]
      : []),
  ];
}

function factsOf(session: SessionSummary, style: Style): [name: string, text: string][] {
  const { project, startedAt, updatedAt, files, parentId, models } = session;
  const facts: [string, string][] = [
    ["session", `${safeLine(session.id)}${session.isImport ? ", imported" : ""}`],
    ["status", paintStatus(session.status, style)(session.status)],
  ];
  if (session.own) facts.push(["yours", ownText(session.own)]);
  if (session.kind === "subagent") facts.push(["agent of", safeLine(parentId ?? "unknown")]);
  const path = project.path === null ? "" : `, ${homePath(project.path)}`;
  facts.push([
    "project",
    `${safeLine(project.name)}${path} (known by ${clueName(project.knownBy)})`,
  ]);
  const length = duration(startedAt, updatedAt);
  facts.push(["when", `${fullMoment(startedAt)}${length === "–" ? "" : `, for ${length}`}`]);
  if (models.length > 0) facts.push(["models", models.map(safeLine).join(", ")]);
  facts.push(["said", saidOf(session)], ["tokens", tokensOf(session)]);
  const paths = files.map((file) => `${homePath(file.path)} (${file.format}, ${file.part})`);
  facts.push([paths.length > 1 ? "files" : "file", paths.join("\n")]);
  const { goneSince } = session;
  if (goneSince !== null) {
    facts.push(["gone", `from disk since ${fullMoment(goneSince)}; still in the archive`]);
  }
  return facts;
}

/** `recorded` → `its records`, `folder-name` → `folder name`. */
function clueName(knownBy: SessionSummary["project"]["knownBy"]): string {
  return knownBy === "recorded" ? "its records" : knownBy.replaceAll("-", " ");
}

function saidOf({ prompts, messages, toolCalls, compressions }: SessionSummary): string {
  const parts = [counted(prompts, "prompt"), counted(messages.live, "live message")];
  if (messages.rewound > 0) parts.push(`${exact(messages.rewound)} rewound`);
  if (messages.rewritten > 0) parts.push(`${exact(messages.rewritten)} rewritten`);
  if (compressions > 0) parts.push(`compressed ${counted(compressions, "time")}`);
  const failed = toolCalls.error > 0 ? ` (${exact(toolCalls.error)} failed)` : "";
  if (toolCalls.total > 0) parts.push(`${counted(toolCalls.total, "tool call")}${failed}`);
  return parts.join(", ");
}

function tokensOf({ tokens }: SessionSummary): string {
  if (tokens.total === null && tokens.input === null) return "not recorded";
  const parts = [
    `${exact(tokens.input)} input (${exact(tokens.cached)} cached)`,
    `${exact(tokens.output)} output`,
    ...(tokens.thoughts === null ? [] : [`${exact(tokens.thoughts)} thoughts`]),
    ...((tokens.tool ?? 0) > 0 ? [`${exact(tokens.tool)} tool`] : []),
  ];
  return `${exact(tokens.total)}: ${parts.join(", ")}`;
}

/** What is hidden above, and the options that show it. */
function* foldedLines(messages: readonly MessageAnswer[], view: TranscriptView): Generator<string> {
  const { unfolded, style } = view;
  const live = messages.filter(({ standing }) => standing === "live");
  const hidden = messages.length - live.length;
  const thoughts = live.reduce((sum, message) => sum + message.thoughts.length, 0);
  const calls = live.reduce((sum, message) => sum + message.toolCalls.length, 0);
  const notes = [
    [counted(thoughts, "thought"), thoughts > 0 && !unfolded.has("thoughts"), "--thoughts"],
    [counted(calls, "tool call"), calls > 0 && !unfolded.has("tools"), "--tools"],
    [
      `${counted(hidden, "message")} taken back`,
      hidden > 0 && !unfolded.has("taken-back"),
      "--all",
    ],
  ] as const;
  const hints = notes.flatMap(([what, isFolded, option]) =>
    isFolded ? [`${what}: ${option}`] : [],
  );
  if (hints.length > 0) yield "";
  for (const line of hints) yield style.dim(line);
}
