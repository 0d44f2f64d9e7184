import { hash } from "node:crypto";
import { clockTime, count, headFacts, redactionLine, titleFor } from "./document/facts.ts";
import type { Highlight } from "./document/highlight.ts";
import { escapeHtml, loadHighlight } from "./document/highlight.ts";
import type { PlacedPart } from "./document/parts.ts";
import { partsOf } from "./document/parts.ts";
import type { RenderMarkdown } from "./document/render-markdown.ts";
import { loadMarkdown } from "./document/render-markdown.ts";
import { STYLE } from "./document/style.ts";
import type { Code, ToolView } from "./document/tool-view.ts";
import { codeOf, languageOf, viewTool } from "./document/tool-view.ts";
import type { Export, ExportedSession } from "./export.ts";
import { onlySession } from "./export.ts";
import { firstLineOf, plainText } from "./plain-text.ts";

/** The conversation as one self-contained page: no script, no picture, no request. */
export const html: Export = {
  name: "html",
  title: "the conversation as one self-contained page",
  mediaType: "text/html",
  extension: "html",
  subject: "session",
  isForPeople: true,
  async *write(content) {
    const exported = await onlySession(content);
    const highlight = await loadHighlight();
    const paint = { highlight, render: await loadMarkdown(highlight) };
    yield headOf(exported);
    yield contentsOf(exported);
    yield* blocks(partsOf(exported.session), paint);
    const masked = content.redaction ? `${redactionLine(content.redaction())} ` : "";
    const left = "Long tool outputs are cut; copies of messages are left out.";
    yield `<footer>${escapeHtml(masked)}Exported by Pollux. ${left}</footer>\n`;
    yield "</main>\n</body>\n</html>\n";
  },
};

interface Paint {
  highlight: Highlight;
  render: RenderMarkdown;
}

/** Blocks loading, scripts and forms; allows only our style, by its digest. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function headOf(exported: ExportedSession): string {
  const title = escapeHtml(titleFor(exported));
  const facts = headFacts(exported)
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`)
    .join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Pollux">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<dl>
${facts}
</dl>
`;
}

/** With fewer prompts, a table of contents is not needed. */
const LONG_PROMPTS = 6;

function contentsOf({ session }: ExportedSession): string {
  const prompts = [...partsOf(session)].flatMap(({ part, takenBack }) =>
    part.kind === "prompt" && takenBack === undefined ? [part] : [],
  );
  if (prompts.length < LONG_PROMPTS) return "";
  const items = prompts.map(({ number, text }) => {
    return `<li value="${number}"><a href="#p${number}">${line(text, 80)}</a></li>`;
  });
  return `<nav aria-label="Contents"><b>Contents</b>\n<ol>\n${items.join("\n")}\n</ol></nav>\n`;
}

async function* blocks(parts: Iterable<PlacedPart>, paint: Paint): AsyncGenerator<string> {
  let folded: string | undefined;
  for (const placed of parts) {
    const { takenBack } = placed;
    if (folded !== undefined && takenBack !== folded) yield "</div></details>\n";
    if (takenBack !== undefined && takenBack !== folded) {
      const why = escapeHtml(takenBack);
      yield `<details class="gone"><summary><b>Taken back</b> (${why})</summary><div>\n`;
    }
    folded = takenBack;
    yield await blockOf(placed, paint);
  }
  if (folded !== undefined) yield "</div></details>\n";
}

async function blockOf({ part, at }: PlacedPart, paint: Paint): Promise<string> {
  switch (part.kind) {
    case "prompt": {
      const by = part.by === "agent" ? "task from an agent" : "prompt";
      const heading = `<h2 id="p${part.number}">${part.number} · ${line(part.text, 80)}</h2>`;
      const text = escapeHtml(plainText(part.text));
      return `${heading}\n${byline(at, by)}<div class="prompt" dir="auto">${text}</div>\n`;
    }
    case "answer": {
      const tokens = part.tokens === undefined ? "" : ` · ${count(part.tokens)} tokens`;
      const text = paint.render(plainText(part.text));
      const by = byline(at, `${part.model ?? "model"}${tokens}`);
      return `${by}<div class="answer" dir="auto">${text}</div>\n`;
    }
    case "thought": {
      const title = `<b>Thought</b> ${line(part.subject, 100)}`;
      return fold(title, paint.render(plainText(part.text)));
    }
    case "tool":
      return toolBlock(await viewTool(part), paint);
    case "file": {
      const title = `<b>File</b> ${line(part.path, 120)}`;
      return fold(title, code(codeOf(part.text, languageOf(part.path)), paint));
    }
    case "context":
      return fold(line(part.title, 100), code(codeOf(part.text, ""), paint));
    case "attachment":
      return `<p class="notice">Attachment: ${line(part.text, 200)}</p>\n`;
    case "notice": {
      const level = part.level === "error" || part.level === "warning" ? ` ${part.level}` : "";
      return `<p class="notice${level}">${escapeHtml(plainText(part.text))}</p>\n`;
    }
    case "compression":
      return `<p class="mark">The conversation so far was compressed here.</p>\n`;
    default:
      return part satisfies never;
  }
}

function byline(at: string | undefined, words: string): string {
  const time = clockTime(at);
  const said = escapeHtml(plainText(time === "" ? words : `${time} · ${words}`));
  return `<p class="by">${said}</p>`;
}

function toolBlock(view: ToolView, paint: Paint): string {
  const tone = view.outcome === "success" ? "good" : "bad";
  const outcome = `<span class="${tone}">${line(view.outcome, 20)}</span>`;
  const title = `<b>Tool</b> ${escapeHtml(view.title)} · ${outcome}`;
  const inside = [
    view.input ? code(view.input, paint) : "",
    view.diff === undefined ? "" : drawDiff(view.diff),
    view.list ? drawList(view.list) : "",
    view.output ? code(view.output, paint) : "",
    view.note === undefined ? "" : `<p class="notice">${line(view.note, 300)}</p>`,
  ];
  return fold(title, inside.join(""));
}

function fold(title: string, inside: string): string {
  return `<details><summary>${title}</summary><div>${inside}</div></details>\n`;
}

function code({ text, language, leftOut }: Code, { highlight }: Paint): string {
  const more = leftOut === 0 ? "" : `<p class="notice">… ${count(leftOut)} more characters</p>`;
  return `<pre dir="ltr"><code>${highlight(text, language)}</code></pre>${more}`;
}

function drawDiff(diff: string): string {
  const lines = diff.replace(/\n$/, "").split("\n");
  const drawn = lines.map((text) => `<span class="${kindOf(text)}">${escapeHtml(text)}</span>`);
  return `<pre class="diff" dir="ltr">${drawn.join("")}</pre>`;
}

function kindOf(text: string): string {
  if (/^(---|\+\+\+) /.test(text) || text.startsWith("@@")) return "hunk";
  if (text.startsWith("+")) return "plus";
  return text.startsWith("-") ? "minus" : "same";
}

function drawList(list: readonly { text: string; status: string }[]): string {
  const items = list.map(({ text, status }) => `<li>${line(text, 300)} (${line(status, 20)})</li>`);
  return `<ul>${items.join("")}</ul>`;
}

function line(text: string, length: number): string {
  return escapeHtml(firstLineOf(text, length));
}
