/** The files of a project as the stories change them; tools read, list and compare them. */
export class Files {
  #texts = new Map();

  constructor(root) {
    this.root = root;
  }

  has(path) {
    return this.#texts.has(path);
  }

  read(path) {
    const text = this.#texts.get(path);
    if (text === undefined) throw new Error(`The story reads ${path}, which does not exist.`);
    return text;
  }

  write(path, text) {
    this.#texts.set(path, text);
  }

  absolute(path) {
    return path === "." ? this.root : `${this.root}/${path}`;
  }

  /** Names directly inside a folder, folders first. */
  list(folder) {
    const prefix = folder === "." ? "" : `${folder}/`;
    const inside = [...this.#texts.keys()].filter((path) => path.startsWith(prefix));
    const names = inside.map((path) => path.slice(prefix.length));
    const folders = names.filter((name) => name.includes("/")).map((name) => name.split("/")[0]);
    const plain = names.filter((name) => !name.includes("/"));
    return { folders: [...new Set(folders)].toSorted(byName), files: plain.toSorted(byName) };
  }

  size(path) {
    return Buffer.byteLength(this.read(path));
  }

  /** The file tree at the start of every conversation. */
  tree() {
    return `${this.root}/\n${this.#branches(".", "").join("\n")}`;
  }

  #branches(folder, indent) {
    const { folders, files } = this.list(folder);
    const names = [...files, ...folders.map((name) => `${name}/`)];
    return names.flatMap((name, index) => {
      const isLast = index === names.length - 1;
      const line = `${indent}${isLast ? "└" : "├"}───${name}`;
      if (!name.endsWith("/")) return [line];
      const inner = `${folder === "." ? "" : `${folder}/`}${name.slice(0, -1)}`;
      return [line, ...this.#branches(inner, `${indent}${isLast ? " " : "│"}   `)];
    });
  }
}

function byName(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A unified diff with one hunk, enough for edits of one place. */
export function diffOf(name, { before, after }, words) {
  const old = linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const from = Math.max(0, head - 3);
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  const after3 = old.slice(old.length - tail, old.length - tail + 3);
  const context = head - from + after3.length;
  const range = (count) => `${count === 0 ? from : from + 1},${count}`;
  const body = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...after3.map((line) => ` ${line}`),
  ];
  const ranges = `-${range(context + removed.length)} +${range(context + added.length)}`;
  const fileDiff = [
    `Index: ${name}`,
    "=".repeat(67),
    `--- ${name}\t${words[0]}`,
    `+++ ${name}\t${words[1]}`,
    `@@ ${ranges} @@`,
    ...body,
    "",
  ].join("\n");
  return { fileDiff, stat: statOf(added, removed) };
}

function statOf(added, removed) {
  return {
    model_added_lines: added.length,
    model_removed_lines: removed.length,
    model_added_chars: chars(added),
    model_removed_chars: chars(removed),
    user_added_lines: 0,
    user_removed_lines: 0,
    user_added_chars: 0,
    user_removed_chars: 0,
  };
}

function chars(lines) {
  return lines.reduce((sum, line) => sum + line.length, 0);
}

function linesOf(text) {
  if (text === "") return [];
  return text.replace(/\n$/, "").split("\n");
}
