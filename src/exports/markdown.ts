import { clockTime, count, headFacts, redactionLine, titleFor } from "./document/facts.ts";
import type { Part, PlacedPart } from "./document/parts.ts";
import { partsOf } from "./document/parts.ts";
import { codeFence, literal, quoted, safeMarkdown } from "./document/safe-markdown.ts";
import type { Code, ShownCall } from "./document/tool-view.ts";
import { codeOf, languageOf, viewTool } from "./document/tool-view.ts";
import type { Export } from "./export.ts";
import { onlySession } from "./export.ts";
import { firstLineOf } from "./plain-text.ts";

/** The conversation as a Markdown document: prompts quoted, thoughts and tools folded. */
export const markdown: Export = {
  name: "markdown",
  title: "the conversation as a Markdown document",
  mediaType: "text/markdown",
  extension: "md",
  subject: "session",
  isForPeople: true,
  async *write(content) {
    const exported = await onlySession(content);
    yield `# ${literal(titleFor(exported))}\n\n| | |\n| --- | --- |\n`;
    for (const [name, value] of headFacts(exported)) yield `| ${name} | ${literal(value)} |\n`;
    yield* blocks(partsOf(exported.session));
    yield "\n---\n\n";
    if (content.redaction) yield `*${literal(redactionLine(content.redaction()))}*\n`;
    yield "*Exported by Pollux. Long tool outputs are cut; copies of messages are left out.*\n";
  },
};

/** Folds consecutive rewound or replaced parts together. */
async function* blocks(parts: Iterable<PlacedPart>): AsyncGenerator<string> {
  let folded: string | undefined;
  for (const placed of parts) {
    const { takenBack } = placed;
    if (folded !== undefined && takenBack !== folded) yield "\n</details>\n";
    if (takenBack !== undefined && takenBack !== folded) {
      yield `\n${summary(`Taken back (${takenBack})`)}\n`;
    }
    folded = takenBack;
    const block = await blockOf(placed);
    if (block !== "") yield `\n${block}\n`;
  }
  if (folded !== undefined) yield "\n</details>\n";
}

async function blockOf({ part, at, takenBack }: PlacedPart): Promise<string> {
  switch (part.kind) {
    case "prompt": {
      const mark = takenBack === undefined ? "## " : "### ";
      const heading = `${mark}${part.number} · ${literal(firstLineOf(part.text, 80))}`;
      const by = part.by === "agent" ? " · task from an agent" : "";
      return `${heading}\n\n${byline(at, `prompt${by}`)}\n\n${quoted(safeMarkdown(part.text))}`;
    }
    case "answer":
      return `${byline(at, answerLine(part))}\n\n${safeMarkdown(part.text)}`;
    case "thought":
      return details(`Thought: ${firstLineOf(part.subject, 100)}`, safeMarkdown(part.text));
    case "tool":
      return toolBlock(part);
    case "file":
      return details(`File ${part.path}`, codeBlock(codeOf(part.text, languageOf(part.path))));
    case "context":
      return details(part.title, codeBlock(codeOf(part.text, "")));
    case "attachment":
      return `*Attachment: ${literal(part.text)}*`;
    case "notice":
      return `*${part.level}: ${literal(part.text)}*`;
    case "compression":
      return "*The conversation so far was compressed here.*";
    default:
      return part satisfies never;
  }
}

function byline(at: string | undefined, words: string): string {
  const time = clockTime(at);
  return `*${literal(time === "" ? words : `${time} · ${words}`)}*`;
}

function answerLine({ model, tokens }: Extract<Part, { kind: "answer" }>): string {
  const total = tokens === undefined ? "" : ` · ${count(tokens)} tokens`;
  return `${model ?? "model"}${total}`;
}

async function toolBlock(shown: ShownCall): Promise<string> {
  const view = await viewTool(shown);
  const inside = [
    ...(view.input ? [codeBlock(view.input)] : []),
    ...(view.diff === undefined ? [] : [codeFence(view.diff, "diff")]),
    ...(view.list ?? []).map(({ text, status }) => `- ${literal(text)} (${literal(status)})`),
    ...(view.output ? [codeBlock(view.output)] : []),
    ...(view.note === undefined ? [] : [`*${literal(view.note)}*`]),
  ];
  return details(`Tool: ${view.title} · ${view.outcome}`, inside.join("\n\n"));
}

function codeBlock({ text, language, leftOut }: Code): string {
  const block = codeFence(text, language);
  return leftOut === 0 ? block : `${block}\n\n*… ${count(leftOut)} more characters*`;
}

/** A folded part; blank lines enable Markdown inside it. */
function details(title: string, inside: string): string {
  const body = inside.trim() === "" ? "*nothing was recorded*" : inside;
  return `${summary(title)}\n\n${body}\n\n</details>`;
}

function summary(title: string): string {
  const text = firstLineOf(title, 140)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
  return `<details>\n<summary>${text}</summary>`;
}
