import type { ComponentChildren } from "preact";
import type { SessionSummary } from "../../src/index.ts";
import { hrefOf, sessionHref } from "../address.ts";
import { when } from "../figures.ts";
import { ProjectLink } from "./project-link.tsx";
import { safeText } from "../safe-text.ts";
import { AgentBadge } from "./agents.tsx";

/** A session with its search results. */
export function Found({
  session,
  whose,
  children,
}: {
  session: SessionSummary;
  /** The owner, if the page is about somebody else. */
  whose?: string | undefined;
  children: ComponentChildren;
}) {
  const title = safeText(session.own?.title ?? session.title ?? "Untitled");
  return (
    <section class="found" aria-label={title}>
      <a href={hrefOf(sessionHref(session), { owner: whose })} dir="auto">
        <strong>{title}</strong>
      </a>{" "}
      <span class="soft small">
        <ProjectLink project={session.project} /> · {when(session.updatedAt)}{" "}
        <AgentBadge source={session.source} />
      </span>
      {children}
    </section>
  );
}
