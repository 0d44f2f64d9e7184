import type { SessionSummary } from "../../src/index.ts";
import { counted } from "../figures.ts";
import { AgentBadge } from "./agents.tsx";

const STATUS_TONES: Readonly<Record<string, string>> = {
  failure: "bad",
  interrupted: "warn",
  cancelled: "warn",
};

/** The status, unless it is success. */
export function StatusBadge({ status }: { status: string }) {
  if (status === "success") return null;
  return <span class={`badge ${STATUS_TONES[status] ?? ""}`}>{status}</span>;
}

/** Badges for everything unusual about a session. */
export function Badges({ session, isAtRisk }: { session: SessionSummary; isAtRisk?: boolean }) {
  const { messages, compressions, kind, isImport, toolCalls } = session;
  return (
    <span class="badges">
      <AgentBadge source={session.source} />
      {isAtRisk && <span class="badge bad">at risk</span>}
      {session.goneSince !== null && (
        <span class="badge accent" title="No longer on disk; only in the archive">
          kept
        </span>
      )}
      {kind === "subagent" && <span class="badge accent">subagent</span>}
      {messages.rewound > 0 && (
        <span class="badge" title={counted(messages.rewound, "message") + " taken back"}>
          rewound
        </span>
      )}
      {compressions > 0 && <span class="badge">compacted</span>}
      {isImport && <span class="badge">import</span>}
      {toolCalls.error > 0 && (
        <span class="badge" title="Tool calls that failed">
          {counted(toolCalls.error, "error")}
        </span>
      )}
    </span>
  );
}
