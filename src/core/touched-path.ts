/** A path that a tool recorded: absolute, or below its project's directory. */
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

/** A relative path is the same file as the whole one. */
export function wholePath(recorded: string, project: string | null): string {
  const { path, isRelative } = recordedPath(recorded);
  return isRelative && project !== null ? `${project}${separatorOf(project)}${path}` : path;
}

export function separatorOf(project: string): "/" | "\\" {
  return project.includes("\\") && !project.includes("/") ? "\\" : "/";
}

/** A file is named by its whole path, or by the end of it from any folder on. */
export function isPathNamed(whole: string, name: string): boolean {
  return whole === name || whole.endsWith(`/${name}`) || whole.endsWith(`\\${name}`);
}
