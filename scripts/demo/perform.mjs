/**
 * Applies a call to the project's files and returns its output. The kind of call is recognised by
 * its arguments, because tool names differ between agents. Texts given by the story take
 * precedence.
 */
export function perform(call, files) {
  const { args, status, error } = call;
  const { file_path: path } = args;
  if (status !== "success") return { output: error };
  if (path === undefined) return { output: call.out ?? "" };
  const before = files.has(path) ? files.read(path) : undefined;
  if (args.content === undefined && args.old_string === undefined) {
    return { output: call.out ?? before ?? files.read(path) };
  }
  const after = args.content ?? replaced(before, args, path);
  files.write(path, after);
  return { output: call.out, change: { path, before, after } };
}

function replaced(before, { old_string: old, new_string: now }, path) {
  if (!before?.includes(old)) throw new Error(`The story replaces what ${path} does not hold.`);
  return before.replace(old, () => now);
}

/** Removed and added lines of a change, with up to three lines of context. */
export function hunkOf({ before = "", after }) {
  const old = linesOf(before);
  const now = linesOf(after);
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const from = Math.max(0, head - 3);
  const behind = old.slice(old.length - tail, old.length - tail + 3);
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  const lines = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...behind.map((line) => ` ${line}`),
  ];
  const context = head - from + behind.length;
  return { from, lines, oldCount: context + removed.length, newCount: context + added.length };
}

function linesOf(text) {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
