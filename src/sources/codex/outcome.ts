import type { ToolOutcome } from "../../core/session/tool-call.ts";
import { asObject, asText } from "../decoding/fields.ts";
import { parseJsonText } from "../decoding/parse.ts";

/** The text before an output is short; the output itself may contain anything. */
const HEAD_LENGTH = 600;

const CANCELLED = [
  /^aborted(?: by user(?: after [\d.]+s)?)?\s*$/,
  /^Wall time: [^\n]*\naborted by user/,
  /^(?:exec command|command|patch|tool call)? ?rejected by user/i,
  /^user (?:rejected|cancelled|canceled) /i,
];

/** A question answered with no, reported as an error of the command or of the script. */
const REJECTED =
  /^(?:Script failed\n[^\n]*\nOutput:\s*Script error:\n)?(?:patch rejected by user|exec_command failed(?: for `[^]*`)?: CreateProcess \{ message: "Rejected\(\\"rejected by user)/;

const FAILED = [
  /^(?:unsupported (?:custom tool )?call|tool call error|error|err|execution error)\b:/i,
  /^(?:apply_patch verification failed|patch rejected|failed (?:to parse|in sandbox))/,
  /^(?:exec_command|write_stdin|collab\w*|unable to|agent with id) .*\bfail|^unable to locate/i,
];

/**
 * Determines the outcome of a call from the form of its output. Each generation has its own:
 *
 *     {"output":"…","metadata":{"exit_code":3,"duration_seconds":0.1}}      up to 0.50
 *     Exit code: 3\nWall time: 0.1 seconds\nOutput:\n…                      0.80
 *     Chunk ID: …\nWall time: …\nProcess exited with code 3\n…Output:\n…    0.101+
 *     Script completed\nWall time 0.1 seconds\nOutput:\n{"exit_code":3,…}   code mode
 */
export function outcomeOf(text: string): ToolOutcome {
  const head = text.slice(0, HEAD_LENGTH);
  if (CANCELLED.some((shape) => shape.test(head)) || REJECTED.test(text)) return "cancelled";
  if (FAILED.some((shape) => shape.test(head))) return "error";
  if (head.startsWith("Script failed")) return "error";
  if (head.startsWith("Script completed")) return scriptOutcome(text);
  if (head.startsWith("{")) return documentOutcome(text);
  const code = EXIT_CODE.exec(beforeOutput(head))?.[1];
  return code === undefined || code === "0" ? "success" : "error";
}

const HEADER = /^(?:Exit code: |Chunk ID: |Wall time|Script (?:completed|failed))/;

/** The output after the lines that precede it; without an output, the exit code. */
export function errorIn(text: string): string | undefined {
  if (text.startsWith("{")) return errorInDocument(text);
  const head = text.slice(0, HEAD_LENGTH);
  const at = /^Output:\n?/m.exec(head);
  if (!at || !HEADER.test(head)) return undefined;
  const output = text.slice(at.index + at[0].length);
  // A script prints the result of a command as it gets it.
  if (output.startsWith("{")) return errorInDocument(output) ?? output;
  if (output.trim() !== "") return output;
  const code = EXIT_CODE.exec(head)?.[1];
  return code === undefined ? undefined : `exit code ${code}`;
}

/** `{"output":"…","metadata":{"exit_code":3}}` or `{"exit_code":3,"output":"…"}` */
function errorInDocument(text: string): string | undefined {
  const document = documentIn(text);
  const output = asText(document?.["output"]);
  if (output === undefined || output.trim() !== "") return output;
  const code = document?.["exit_code"] ?? asObject(document?.["metadata"])?.["exit_code"];
  return typeof code === "number" ? `exit code ${code}` : undefined;
}

const EXIT_CODE = /^(?:Exit code: |Process exited with code )(-?\d+)/m;

function beforeOutput(head: string): string {
  const end = head.search(/^Output:$/m);
  return end === -1 ? head : head.slice(0, end);
}

/** A script can succeed although its commands failed. */
function scriptOutcome(text: string): ToolOutcome {
  for (const [, code] of text.matchAll(/\\?"exit_code\\?":\s*(-?\d+)/g)) {
    if (code !== "0") return "error";
  }
  return /\\?"isError\\?":\s*true/.test(text) ? "error" : "success";
}

function documentOutcome(text: string): ToolOutcome {
  const document = documentIn(text);
  if (!document) return "success";
  if (document["isError"] === true || document["success"] === false) return "error";
  const code = asObject(document["metadata"])?.["exit_code"];
  return code === undefined || code === 0 ? "success" : "error";
}

function documentIn(text: string): ReturnType<typeof asObject> {
  const parsed = parseJsonText(text);
  return asObject(parsed.isJson ? parsed.value : undefined);
}
