/** A file that a tool call touched, with the number of changed lines if recorded. */
export interface TouchedFile {
  path: string;
  how: "read" | "written" | "edited";
  addedLines?: number;
  removedLines?: number;
}

/** A path recorded by a tool: absolute, or relative to the project's directory. */
export interface RecordedPath {
  path: string;
  isRelative: boolean;
}

export function recordedPath(path: string): RecordedPath {
  const isWhole = /^(?:[A-Za-z]:)?[\\/]/.test(path) || path.startsWith("~");
  return isWhole
    ? { path, isRelative: false }
    : { path: path.replace(/^\.[\\/]/, ""), isRelative: true };
}

/** Makes a recorded path absolute, so that relative and absolute paths name the same file. */
export function absolutePath(recorded: string, project: string | null): string {
  const { path, isRelative } = recordedPath(recorded);
  return isRelative && project !== null ? `${project}${separatorOf(project)}${path}` : path;
}

export function separatorOf(project: string): "/" | "\\" {
  return project.includes("\\") && !project.includes("/") ? "\\" : "/";
}

/** Whether a name is the whole path, or the end of the path starting at any folder. */
export function matchesPath(whole: string, name: string): boolean {
  return whole === name || whole.endsWith(`/${name}`) || whole.endsWith(`\\${name}`);
}
