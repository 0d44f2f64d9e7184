import type { NeighbourSession, Transcript } from "../../src/index.ts";
import { sessionHref } from "../address.ts";
import { AgentBadge } from "../parts/agents.tsx";
import { safeText } from "../safe-text.ts";

/** The sessions that this one continues, and those that continue it. */
export function SessionChain({ continues, continuedBy }: Transcript) {
  if (continues.length + continuedBy.length === 0) return null;
  return (
    <ul class="chain soft small">
      {continues.map((session) => (
        <Neighbour key={session.id} words="Continues" {...session} />
      ))}
      {continuedBy.map((session) => (
        <Neighbour key={session.id} words="Continued in" {...session} />
      ))}
    </ul>
  );
}

function Neighbour({ words, id, how, source, title }: NeighbourSession & { words: string }) {
  const name = safeText(title ?? id);
  return (
    <li>
      {words}{" "}
      {source === null ? (
        <span dir="auto">{name} (not found)</span>
      ) : (
        <a dir="auto" href={sessionHref({ id, source })}>
          {name}
        </a>
      )}{" "}
      {source !== null && <AgentBadge source={source} />} ({how.replaceAll("-", " ")})
    </li>
  );
}
