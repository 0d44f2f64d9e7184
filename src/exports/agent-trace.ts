import { hash } from "node:crypto";
import { groupBy } from "../core/group.ts";
import type { EditedFile } from "../queries/blame/edited-lines.ts";
import { editedFilesOf } from "../queries/blame/edited-lines.ts";
import type { Export, ExportedAgent, ExportedSession } from "./export.ts";
import { onlySession } from "./export.ts";
import { prettyJson } from "./json-text.ts";
import { stableUuid } from "./stable-ids.ts";

/** Agent Trace 0.1: which lines of which files a conversation wrote, and with which model. */
export const agentTrace: Export = {
  name: "agent-trace",
  title: "which lines the model wrote (Agent Trace 0.1)",
  mediaType: "application/vnd.agent-trace.record+json",
  extension: "agent-trace.json",
  subject: "session",
  async *write(content) {
    const exported = await onlySession(content);
    const redaction = content.redaction ? { redaction: content.redaction() } : {};
    yield `${prettyJson(recordOf(exported, { nowMs: content.nowMs, redaction }))}\n`;
  },
};

function recordOf(
  { session, agent }: ExportedSession,
  more: { nowMs: number; redaction: object },
): object {
  const edits = editedFilesOf(session);
  const byPath = [...groupBy(edits, ({ path }) => relativeTo(session.project.path, path))];
  const unknown = edits.filter(({ ranges }) => ranges === "unknown");
  return {
    version: "0.1",
    id: stableUuid("agent-trace", session.source, session.id),
    timestamp: session.updatedAt ?? new Date(more.nowMs).toISOString(),
    tool: { name: agent.id, version: session.files[0]?.generation ?? "unknown" },
    files: byPath.map(([path, group]) => {
      return { path, conversations: conversationsOf(group, agent, session) };
    }),
    metadata: {
      pollux: {
        session_id: session.id,
        positions: "as they stood right after each edit",
        edits: edits.length,
        edits_without_known_lines: unknown.map(({ path, callId }) => {
          return { path: relativeTo(session.project.path, path), call_id: callId };
        }),
        ...more.redaction,
      },
    },
  };
}

/** One conversation per contributor: a session may use several models. */
function conversationsOf(
  edits: readonly EditedFile[],
  agent: ExportedAgent,
  { source, id }: ExportedSession["session"],
): object[] {
  const groups = [...groupBy(edits, ({ model, by }) => `${by} ${model ?? ""}`).values()];
  return groups.map((group) => {
    const [first] = group;
    const model = modelId(first?.model, agent);
    return {
      url: `urn:pollux:session:${source}:${encodeURIComponent(id)}`,
      contributor: {
        type: first?.by === "mixed" ? "mixed" : "ai",
        ...(model === undefined ? {} : { model_id: model }),
      },
      ranges: group.flatMap(({ ranges }) => {
        if (ranges === "unknown") return [];
        return ranges.map(({ startLine, endLine, text }) => {
          const digest = `sha256:${hash("sha256", text, "hex")}`;
          return { start_line: startLine, end_line: endLine, content_hash: digest };
        });
      }),
    };
  });
}

/** Model ids as in models.dev: `google/…`. */
function modelId(model: string | undefined, agent: ExportedAgent): string | undefined {
  if (model === undefined) return undefined;
  return (agent.vendor ? `${agent.vendor.models}/${model}` : model).slice(0, 250);
}

function relativeTo(root: string | undefined, path: string): string {
  if (root === undefined || root === "") return path;
  const base = root.replace(/[\\/]+$/, "");
  const isInside = path.startsWith(`${base}/`) || path.startsWith(`${base}\\`);
  return isInside ? path.slice(base.length + 1).replaceAll("\\", "/") : path;
}
