const VERBS = [
  ["file", "title", "you", "ref", "model", "think", "tool", "content", "old", "new"],
  ["out", "err", "cancel", "show", "info", "warning", "error", "agent"],
  ["rewind", "compress", "mask", "shell", "resume", "refuse", "save"],
].flat();
const DIRECTIVE = new RegExp(`^(${VERBS.join("|")})(?: ([^:]+))?:(?: (.*))?$`);

/**
 * Parses a story; see any `.story` file:
 *
 *     == 2026-10-28T09:14:10 | 0.61 | gemini-3-pro-preview | headless
 *     you: What does the order total include?
 *     model: I will look.
 *     tool read_file: {"file_path": "src/total.ts"}
 *
 * Lines indented by two spaces continue the text above them.
 */
export function parseStory(text) {
  const story = { files: [], sessions: [] };
  let steps = story.files;
  for (const block of blocksOf(text)) {
    if (block.head !== undefined) {
      const session = { ...headOf(block.head), steps: [] };
      story.sessions.push(session);
      steps = session.steps;
    } else steps.push(block);
  }
  return story;
}

function blocksOf(text) {
  const blocks = [];
  let blanks = 0;
  for (const line of text.split("\n")) {
    if (line.startsWith("# ")) continue;
    if (line.trim() === "") {
      blanks += 1;
      continue;
    }
    const current = blocks.at(-1);
    if (line.startsWith("== ")) blocks.push({ head: line.slice(3) });
    else if (line.startsWith("  ") && current) {
      const breaks = "\n".repeat(current.text === undefined ? 0 : blanks + 1);
      current.text = (current.text ?? "") + breaks + line.slice(2);
    } else blocks.push(directiveOf(line));
    blanks = 0;
  }
  return blocks.map((block) => ({ text: "", ...block }));
}

function directiveOf(line) {
  const match = DIRECTIVE.exec(line);
  if (!match) throw new Error(`Not a line of a story: ${line}`);
  const [, verb, word, text] = match;
  return { verb, ...(word === undefined ? {} : { word }), ...(text ? { text } : {}) };
}

function headOf(head) {
  const [start, version, model, ...flags] = head.split("|").map((field) => field.trim());
  return { startMs: Date.parse(`${start}.000Z`), version, model, flags };
}
