import type { ProjectClues } from "../source.ts";

/** Tool arguments that contain a path, in all versions. */
const PATH_ARGUMENTS = ["absolute_path", "file_path", "dir_path", "path", "directory"];
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/]|\\\\)/;

/** Yields the absolute paths that a session mentions, strongest evidence first. */
export function* mentionedPaths(
  messages: ProjectClues["messages"],
): Generator<{ path: string; by: "context" | "tool-paths" }> {
  for (const { injections } of messages) {
    for (const { kind, text } of injections) {
      if (kind !== "session-context" && kind !== "workspace") continue;
      for (const path of contextPaths(text)) yield { path, by: "context" };
    }
  }
  for (const { references, toolCalls } of messages) {
    for (const { path } of references) {
      if (path.length < 4096 && ABSOLUTE.test(path)) yield { path, by: "tool-paths" };
    }
    for (const call of toolCalls) {
      for (const path of argumentPaths(call.args)) yield { path, by: "tool-paths" };
      if (call.output !== undefined) {
        for (const path of listedPaths(call.output)) yield { path, by: "tool-paths" };
      }
    }
  }
}

/**
 * `- **Workspace Directories:**\n  - /home/ada/projects/ledger`, or in older versions a sentence:
 * `I'm currently working in the directory: /home/ada/projects/ledger`.
 */
function contextPaths(text: string): string[] {
  const head = text.slice(0, 4000);
  const listed = [...head.matchAll(/^\s+- (.+)$/gm)].map((match) => match[1] ?? "");
  const named = /(?:current working|working in the) directory(?: is)?:? (.+)$/m.exec(head)?.[1];
  return [...listed, ...(named === undefined ? [] : [named])]
    .map((path) => path.trim())
    .filter((path) => ABSOLUTE.test(path));
}

function argumentPaths(args: unknown): string[] {
  if (typeof args !== "object" || args === null) return [];
  const named = args as Record<string, unknown>;
  return PATH_ARGUMENTS.flatMap((key) => {
    const value = named[key];
    return typeof value === "string" && value.length < 4096 && ABSOLUTE.test(value) ? [value] : [];
  });
}

/** `Directory listing for /home/ada/projects/ledger:` and similar lines. */
function listedPaths(output: string): string[] {
  const head = output.slice(0, 160);
  const match = /(?:Directory listing for|within|in path) ((?:\/|[A-Za-z]:[\\/])[^\n:,]+)/.exec(
    head,
  );
  return match?.[1] === undefined ? [] : [match[1].trim()];
}
