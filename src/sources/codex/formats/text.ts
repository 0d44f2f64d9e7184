import { hash } from "node:crypto";
import type { Attachment } from "../../../core/session/attachment.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText } from "../../decoding/fields.ts";
import type { SaidPart, Text } from "../content.ts";

/** Shorter texts are their own fingerprint. */
const SHORT = 64;

/** Blocks of an answer that its event lacks: a plan is a separate item, sources are not shown. */
const HIDDEN = ["proposed_plan", "oai-mem-citation"].map((tag) => {
  return { end: `</${tag}>`, block: new RegExp(`<${tag}>[^]*?</${tag}>`, "g") };
});

export function textOf(text: string): Text {
  const trimmed = HIDDEN.reduce(withoutBlocks, text).trim();
  const print = trimmed.length < SHORT ? trimmed : hash("sha1", trimmed, "base64");
  return { text, print };
}

/** Does not search behind the last end: every beginning there would search the rest of the text. */
function withoutBlocks(text: string, { end, block }: (typeof HIDDEN)[number]): string {
  const last = text.lastIndexOf(end);
  return last === -1
    ? text
    : text.slice(0, last + end.length).replace(block, "") + text.slice(last + end.length);
}

export interface Content {
  parts: SaidPart[];
  attachments: Attachment[];
}

/**
 * Reads the content of an item: a text, or a list of parts.
 *
 *     [{"type": "input_text", "text": "…"}, {"type": "input_image", "image_url": "data:…"}]
 *
 * Encrypted parts have no text.
 */
export function readContent(content: unknown, labels?: unknown): Content {
  if (typeof content === "string") return { parts: [textOf(content)], attachments: [] };
  const kinds = asList(labels) ?? [];
  const parts: SaidPart[] = [];
  const attachments: Attachment[] = [];
  for (const [at, element] of (asList(content) ?? []).entries()) {
    const part = asObject(element);
    if (!part) continue;
    const attachment = attachmentOf(part);
    if (attachment) attachments.push(attachment);
    const text = asText(part["text"]);
    const label = asName(kinds[at]);
    if (text !== undefined)
      parts.push({ ...textOf(text), ...(label === undefined ? {} : { label }) });
  }
  return { parts, attachments };
}

/** `<image name=[Image #1] path="a.png">` … `</image>`: Codex wraps pictures this way (0.130+). */
const WRAPPER = /^<\/?(image|audio)\b[^\n]*>$/;

export function isWrapper({ text }: Text): boolean {
  return WRAPPER.test(text.trim());
}

export function joinParts(parts: readonly Text[]): string {
  return parts.map(({ text }) => text).join("\n\n");
}

const ATTACHED = new Set(["input_image", "input_audio", "input_file", "image", "audio"]);

function attachmentOf(part: Json): Attachment | undefined {
  const type = asText(part["type"]) ?? "";
  if (type === "local_image" || type === "local_audio") {
    return {
      mediaType: type === "local_image" ? "image/*" : "audio/*",
      ...uri(asName(part["path"])),
    };
  }
  if (!ATTACHED.has(type)) return undefined;
  const url = part["image_url"] ?? part["audio_url"] ?? part["file_data"] ?? part["url"];
  return attachedUrl(asText(url) ?? asText(asObject(url)?.["url"]) ?? "", type);
}

function uri(path: string | undefined): { uri?: string } {
  return path === undefined ? {} : { uri: path };
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*?;base64,/;

/** `data:image/png;base64,iVBOR…`, or the location of the file. */
export function attachedUrl(url: string, type = "input_image"): Attachment {
  const head = DATA_URL.exec(url.slice(0, 200));
  const other = type.includes("audio") ? "audio/*" : "image/*";
  if (!head) return { mediaType: other, ...(url === "" ? {} : { uri: url.slice(0, 4096) }) };
  const data = url.slice(head[0].length);
  const padding = data.endsWith("==") ? 2 : Number(data.endsWith("="));
  const sizeBytes = Math.max(0, Math.floor((data.length * 3) / 4) - padding);
  return { mediaType: head[1] ?? other, sizeBytes, data };
}
