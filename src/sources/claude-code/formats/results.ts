import type { ToolDisplay } from "../../../core/session/tool-call.ts";
import type { Json } from "../../decoding/fields.ts";
import { asName, asObject, asText } from "../../decoding/fields.ts";
import { displayOf, touchedBy } from "../tool-effects.ts";
import { resultText } from "./blocks.ts";
import type { ResultRecord } from "../content.ts";

/**
 * Reads the results in a `user` record. `toolUseResult`, the structured result, is used only if the
 * record has exactly one result.
 */
export function readResults(blocks: readonly Json[], record: Json): ResultRecord[] {
  const made = blocks.length === 1 ? record["toolUseResult"] : undefined;
  return blocks.flatMap((block) => {
    const callId = asName(block["tool_use_id"]);
    return callId === undefined ? [] : [readResult(block, callId, { record, made })];
  });
}

interface ResultContext {
  record: Json;
  made: unknown;
}

function readResult(block: Json, callId: string, { record, made }: ResultContext): ResultRecord {
  const output = resultText(block["content"]);
  const details = asObject(made);
  const result: ResultRecord = { callId, output, ...outcomeOf(block, output, { record, made }) };
  const agentId = asName(details?.["agentId"]);
  if (agentId !== undefined) result.agentId = agentId;
  if (details?.["status"] === "async_launched") result.isLaunch = true;
  const spillPath = spillPathOf(output, details);
  if (spillPath !== undefined) result.spillPath = spillPath;
  if (result.outcome !== "success" || !details) return result;
  const display: ToolDisplay | undefined = displayOf(details);
  if (display) result.display = display;
  const touched = touchedBy(details);
  if (touched) result.touched = touched;
  return result;
}

type Outcome = Pick<ResultRecord, "outcome" | "status">;

/** May follow the exit code of a command that was stopped. */
const INTERRUPTED = /^\[Request interrupted by user/m;
const REFUSED = /^The user doesn't want to (?:proceed|take this action)/;
const NOT_ALLOWED =
  /^Claude requested permissions|^Permission .*denied|needs approval|was blocked\. For security/;
const HOOK =
  /^[A-Za-z]+:\S+ hook (?:blocking )?error|^(?:Pre|Post)ToolUse\b.*hook|^\S+ operation blocked by hook:/;
const EXIT = /^(?:Error: )?Exit code (\d+)/;

/** Determines the outcome of a call from the error flag; the text gives the reason. */
function outcomeOf(block: Json, output: string, { record, made }: ResultContext): Outcome {
  if (block["is_error"] !== true) {
    const isStopped = asObject(made)?.["interrupted"] === true;
    return isStopped ? { outcome: "cancelled", status: "interrupted" } : { outcome: "success" };
  }
  const denial = asText(record["toolDenialKind"]);
  if (INTERRUPTED.test(output.slice(0, 4096)))
    return { outcome: "cancelled", status: "interrupted" };
  // Claude Code ended before the result came; the user did not stop the call.
  if (denial === "interrupted") return { outcome: "error", status: "interrupted" };
  const decision = asObject(record["permissionDecision"]);
  if (HOOK.test(output) || decision?.["source"] === "hook") {
    return { outcome: "error", status: "blocked by a hook" };
  }
  if (REFUSED.test(output)) return { outcome: "cancelled", status: "refused" };
  if (NOT_ALLOWED.test(output) || decision?.["decision"] === "reject") {
    return { outcome: "error", status: "not allowed" };
  }
  if (denial === "user-rejected") return { outcome: "cancelled", status: "refused" };
  const code = EXIT.exec(output)?.[1];
  if (code !== undefined) return { outcome: "error", status: `exit code ${code}` };
  const isMisuse = output.startsWith("<tool_use_error>");
  return { outcome: "error", status: isMisuse ? "tool use error" : "error" };
}

/** `<persisted-output>\nOutput too large (…). Full output saved to: /…/tool-results/x.txt` */
const PERSISTED = /^<persisted-output>[\s\S]{0,300}?\bsaved to: (\S[^\n]*)/;

function spillPathOf(output: string, details: Json | undefined): string | undefined {
  const named = asName(details?.["persistedOutputPath"]);
  return named ?? PERSISTED.exec(output.slice(0, 4096))?.[1]?.trim();
}
