/** A path relative to its root, always with `/`: the archive may come from another platform. */
export function relativePath(root: string, path: string): string {
  const below = path.slice(root.length).replace(/^[\\/]+/, "");
  return separatorOf(root) === "\\" ? below.replaceAll("\\", "/") : below;
}

export function joinPath(root: string, below: string): string {
  const separator = separatorOf(root);
  const local = separator === "\\" ? below.replaceAll("/", "\\") : below;
  return root.endsWith(separator) ? `${root}${local}` : `${root}${separator}${local}`;
}

/** Windows roots look like `C:\\Users\\ada\\agent` or `\\\\nas\\home`. */
function separatorOf(root: string): "/" | "\\" {
  return /^([A-Za-z]:\\|\\\\)/.test(root) ? "\\" : "/";
}
