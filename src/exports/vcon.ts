import type { Message } from "../core/session/message.ts";
import { isRequest } from "../core/session/message.ts";
import type { Session } from "../core/session/session.ts";
import { titleOf } from "../core/rows/summarise.ts";
import type { Export, ExportedSession } from "./export.ts";
import { onlySession } from "./export.ts";
import { prettyJson, prettyList } from "./json-text.ts";
import { stableUuid } from "./stable-ids.ts";

/**
 * Virtualized conversation (draft-ietf-vcon-vcon-core-04, unsigned): the parties, the dialogue, and
 * tool calls as attachments. The draft still changes, so this format is experimental.
 */
export const vcon: Export = {
  name: "vcon",
  title: "a conversation container (IETF vCon draft; experimental)",
  mediaType: "application/vcon+json",
  extension: "vcon.json",
  subject: "session",
  async *write(content) {
    const exported = await onlySession(content);
    const { session } = exported;
    const uuid = stableUuid("vcon", session.source, session.id);
    const isMasked = content.redaction !== undefined;
    const head = {
      vcon: "0.4.0",
      uuid: isMasked ? stableUuid("vcon", session.source, session.id, "masked") : uuid,
      created_at: new Date(content.nowMs).toISOString(),
      subject: titleOf(session) ?? session.id,
      ...(isMasked ? { redacted: { uuid, type: "secrets, home folders, account names" } } : {}),
      parties: partiesOf(exported),
    };
    yield `{\n${prettyJson(head).slice(2, -2)},\n  "dialog": `;
    yield* prettyList(dialogOf(session));
    yield `,\n  "attachments": `;
    yield* prettyList(attachmentsOf(session));
    yield `,\n  "analysis": ${prettyJson(analysisOf(exported, content.redaction?.()), "  ")}\n}\n`;
  },
};

/** Party 0 is the user, party 1 the agent. */
function partiesOf({ session, agent }: ExportedSession): object[] {
  const models = [...new Set(session.messages.flatMap(({ model }) => model ?? []))];
  const name = models.length === 0 ? agent.name : `${agent.name} (${models.join(", ")})`;
  return [{ name: session.kind === "subagent" ? "agent" : "user" }, { name }];
}

function spokenOf(session: Session): Message[] {
  return session.messages.filter((message) => {
    const isSaid = message.author === "model" || isRequest(message);
    return isSaid && message.standing === "live" && message.at !== undefined;
  });
}

function* dialogOf(session: Session): Generator<object> {
  for (const message of spokenOf(session)) {
    yield {
      type: "text",
      start: message.at,
      parties: [0, 1],
      originator: message.author === "model" ? 1 : 0,
      mediatype: message.author === "model" ? "text/markdown" : "text/plain",
      body: message.typed ?? message.text,
      encoding: "none",
      application: session.source,
      message_id: message.id,
    };
  }
}

function* attachmentsOf(session: Session): Generator<object> {
  for (const [dialog, message] of spokenOf(session).entries()) {
    for (const { id, name, args, outcome, output, at } of message.toolCalls) {
      yield {
        purpose: "tool-call",
        start: at ?? message.at,
        party: 1,
        dialog,
        mediatype: "application/json",
        body: JSON.stringify({ id, name, arguments: args, outcome, output }),
        encoding: "json",
      };
    }
  }
}

function analysisOf({ session, tokens }: ExportedSession, redaction: object | undefined): object[] {
  const body = { tokens, ...(redaction ? { redaction } : {}) };
  const usage = { type: "usage", vendor: "pollux", mediatype: "application/json" };
  return [
    ...(session.summary === undefined
      ? []
      : [{ type: "summary", vendor: session.source, body: session.summary, encoding: "none" }]),
    { ...usage, body: JSON.stringify(body), encoding: "json" },
  ];
}
