import type { TextRole } from "../../core/session/text.ts";

type Part = "said" | "thought" | "tool";

/** The part of a record that holds the text of each role. */
const PARTS: Readonly<Record<TextRole, Part>> = {
  title: "said",
  prompt: "said",
  answer: "said",
  other: "said",
  thought: "thought",
  tool: "tool",
};

/** Keys and block types; agents differ little in them. */
const THOUGHT = /thought|thinking|reasoning/i;
const TOOL = /^(?:\w+_)?(?:tool|function)|^(?:args|arguments|input|output|result|response)/i;
const SAID = /^(?:text|content|message|parts|prompt|summary|display)$/;
/** Keys inside calls and thoughts that hold no text. */
const NO_TEXT = /^(?:\w*id|type|status|name|timestamp|signature|mimeType|data)$/i;
const DEEPEST = 12;

/**
 * Extracts the texts of a role from a record by its keys, without reading the rest of the session.
 * A heuristic, good enough for previews; for exact texts interpret the session.
 */
export function recordTexts(record: unknown, role: TextRole): string[] {
  const wanted = PARTS[role];
  const texts: string[] = [];
  const collect = (value: unknown, at: { key: string; part: Part; depth: number }): void => {
    if (typeof value === "string") {
      const isText = at.part === "said" ? SAID.test(at.key) : !NO_TEXT.test(at.key);
      if (isText && at.part === wanted) texts.push(value);
      return;
    }
    if (typeof value !== "object" || value === null || at.depth > DEEPEST) return;
    const within = at.part === "said" ? partOfBlock(value) : at.part;
    for (const [name, inner] of Object.entries(value)) {
      const key = Array.isArray(value) ? at.key : name;
      const part = within === "said" ? partOf(key) : within;
      collect(inner, { key, part, depth: at.depth + 1 });
    }
  };
  collect(record, { key: "", part: "said", depth: 0 });
  return texts;
}

/** `{"type": "thinking", …}`, `{"text": "…", "thought": true}` */
function partOfBlock(value: object): Part {
  const { type, thought } = value as { type?: unknown; thought?: unknown };
  if (thought === true) return "thought";
  return typeof type === "string" ? partOf(type) : "said";
}

function partOf(name: string): Part {
  if (THOUGHT.test(name)) return "thought";
  return TOOL.test(name) ? "tool" : "said";
}
