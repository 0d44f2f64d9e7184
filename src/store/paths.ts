/** A path below a root, with `/` on every system: an archive may have been made on another one. */
export function relativePath(root: string, path: string): string {
  const below = path.slice(root.length).replace(/^[\\/]+/, "");
  return separatorOf(root) === "\\" ? below.replaceAll("\\", "/") : below;
}

export function joinPath(root: string, below: string): string {
  const separator = separatorOf(root);
  const local = separator === "\\" ? below.replaceAll("/", "\\") : below;
  return root.endsWith(separator) ? `${root}${local}` : `${root}${separator}${local}`;
}

/** `C:\\Users\\ada\\agent` and `\\\\nas\\home` are written the Windows way. */
function separatorOf(root: string): "/" | "\\" {
  return /^([A-Za-z]:\\|\\\\)/.test(root) ? "\\" : "/";
}
