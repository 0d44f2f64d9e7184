import type { Project } from "../../core/session/project.ts";
import { projectAt } from "../../core/session/project.ts";
import { projectSlug } from "../decoding/project-slug.ts";
import type { TranscriptFile } from "./interpret/conversations.ts";

const SLUG_LENGTH = 200;

/** Whether a folder may be named after this path: long names end with a hash instead (2.1). */
export function isSlugOf(folder: string, path: string): boolean {
  const slug = projectSlug(path);
  if (slug.length <= SLUG_LENGTH) return folder === slug;
  return folder === slug || folder.startsWith(`${slug.slice(0, SLUG_LENGTH)}-`);
}

/**
 * Several paths share one folder name, so the name does not identify the path. Records hold their
 * working directory: takes the one that matches the folder name, otherwise the first.
 */
export function projectOf(files: readonly TranscriptFile[]): Project {
  const fitting = files.flatMap(({ file, content }) =>
    content.cwds.filter((cwd) => isSlugOf(file.folder, cwd)),
  );
  const path = fitting[0] ?? files.flatMap(({ content }) => content.cwds)[0];
  if (path === undefined) return { name: files[0]?.file.folder ?? "", knownBy: "folder-name" };
  return projectAt(path);
}
