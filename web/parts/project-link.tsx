import type { SessionSummary } from "../../src/index.ts";
import { hrefOf } from "../address.ts";
import { safeText } from "../safe-text.ts";

/** The project of a session; links to all of its sessions. */
export function ProjectLink({ project }: { project: SessionSummary["project"] }) {
  const { path, hash, name } = project;
  return (
    <a class="project" href={hrefOf("/sessions", { project: path ?? hash ?? name })}>
      {safeText(name)}
    </a>
  );
}
