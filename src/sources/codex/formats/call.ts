import { optional } from "../../../core/optional.ts";
import type { ToolCall, ToolDisplay } from "../../../core/session/tool-call.ts";
import type { TouchedFile } from "../../../core/rows/touched-file.ts";
import type { Json } from "../../decoding/fields.ts";
import { asList, asName, asObject, asText } from "../../decoding/fields.ts";
import { parseJsonText } from "../../decoding/parse.ts";
import { displayOfPatch, filesOfPatch, patchIn, resolved } from "../patch.ts";
import { describeScript, describeTool } from "../tools.ts";

/** Context of a call's record. */
export interface CallContext {
  cwd?: string | undefined;
  at?: string | undefined;
  /** Id for a call without one. */
  fallbackId: string;
}

/**
 * A call, in any of its forms:
 *
 *     {"type":"function_call","name":"shell","arguments":"{\"command\":[…]}","call_id":"call_1"}
 *     {"type":"custom_tool_call","name":"apply_patch","input":"*** Begin…","call_id":"call_2"}
 *     {"type":"local_shell_call","call_id":"call_3","action":{"type":"exec","command":[…]}}
 *     {"type":"web_search_call","status":"completed","action":{"type":"search","query":"…"}}
 */
export function readCall(item: Json, context: CallContext): ToolCall {
  const type = asText(item["type"]) ?? "";
  const id = asName(item["call_id"]) ?? asName(item["id"]) ?? context.fallbackId;
  const call = { id, ...optional("askedAt", context.at) };
  if (type === "custom_tool_call") return { ...call, ...customCall(item, context) };
  if (type === "function_call") return { ...call, ...functionCall(item, context) };
  if (type === "local_shell_call") return { ...call, ...localShell(item) };
  return { ...call, ...serverCall(item, type, context) };
}

type Body = Omit<ToolCall, "id">;

function functionCall(item: Json, context: CallContext): Body {
  const name = asText(item["name"]) ?? "";
  const recorded = item["arguments"];
  const parsed = parseJsonText(asText(recorded) ?? "");
  const args: unknown = parsed.isJson ? parsed.value : recorded;
  const tool = describeTool(name, asName(item["namespace"]));
  const given = asObject(args) ?? {};
  const cwd = asName(given["workdir"]) ?? context.cwd;
  return { name, ...withEffects(tool, effectsOf(tool.label, given, cwd)), args };
}

interface Effects {
  shellLine?: string;
  files?: TouchedFile[];
  display?: ToolDisplay;
  /** The shell call only applies a patch. */
  isPatch?: boolean;
}

function withEffects(
  tool: ReturnType<typeof describeTool>,
  effects: Effects,
): Omit<Body, "name" | "args"> {
  const { isPatch, ...touched } = effects;
  return { ...(isPatch === true ? describeTool("apply_patch") : tool), ...touched };
}

function effectsOf(label: string, given: Json, cwd: string | undefined): Effects {
  if (label === "Bash") return shellEffects(given["command"] ?? given["cmd"], cwd);
  if (label === "Edit") return patchEffects(asText(given["input"]) ?? asText(given["patch"]), cwd);
  if (label === "Plan") return planEffects(given["plan"]);
  const path = asName(given["path"]) ?? asName(given["file_path"]);
  if (label !== "Read" || path === undefined) return {};
  return { files: [{ path: resolved(path, cwd), how: "read" }] };
}

/** `{"plan": [{"step": "Read the notes", "status": "completed"}, …]}` */
function planEffects(plan: unknown): Effects {
  const todos = (asList(plan) ?? []).flatMap((item) => {
    const step = asObject(item);
    const description = asText(step?.["step"]);
    return description === undefined
      ? []
      : [{ description, status: asText(step?.["status"]) ?? "" }];
  });
  return todos.length === 0 ? {} : { display: { kind: "todos", todos } };
}

/** Up to 0.50 patches are applied by `["apply_patch", "*** Begin Patch…"]` or by a shell line. */
function shellEffects(command: unknown, cwd: string | undefined): Effects {
  const words = asList(command)?.map((word) => asText(word) ?? "");
  const line = words ? shellLineOf(words) : asName(command);
  if (line === undefined) return {};
  const isPatch = words?.[0] === "apply_patch" || /^\s*(?:cd [^\n&]+&& )?apply_patch\b/.test(line);
  const patch = isPatch ? patchEffects(patchIn(line), cwd) : {};
  if (patch.files === undefined) return { shellLine: line };
  return words?.[0] === "apply_patch"
    ? { ...patch, isPatch: true }
    : { ...patch, shellLine: line, isPatch: true };
}

function patchEffects(patch: string | undefined, cwd: string | undefined): Effects {
  if (patch === undefined) return {};
  const files = filesOfPatch(patch, cwd);
  return files.length === 0 ? {} : { files, ...optional("display", displayOfPatch(patch, files)) };
}

/** `["bash", "-lc", "npm test"]` → `npm test` */
export function shellLineOf(words: readonly string[]): string | undefined {
  const [shell = "", flag = "", line] = words;
  const isShell = /(?:^|[\\/])(?:ba|z|da|k|fi)?sh(?:\.exe)?$/.test(shell) && /^-\w*c$/.test(flag);
  const isWindows = /(?:^|[\\/])(?:powershell|pwsh|cmd)(?:\.exe)?$/i.test(shell);
  if (isShell && line !== undefined) return asName(line);
  if (isWindows && words.length > 2) return asName(words.at(-1));
  return asName(words.join(" "));
}

function customCall(item: Json, { cwd }: CallContext): Body {
  const name = asText(item["name"]) ?? "";
  const input = asText(item["input"]) ?? "";
  const tool = describeTool(name, asName(item["namespace"]));
  if (name === "exec")
    return { name, ...describeScript(input), ...scriptEffects(input, cwd), args: { input } };
  const effects = tool.label === "Edit" ? patchEffects(input, cwd) : {};
  return { name, ...tool, ...effects, args: { input } };
}

const COMMAND = /["']?\bcmd["']?\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/g;
const PATCH_TEXT = /\btools\s*\.\s*apply_patch\s*\(\s*("(?:[^"\\]|\\.)*")/g;

/** Code mode: `const r = await tools.exec_command({"cmd":"npm test"});` */
function scriptEffects(script: string, cwd: string | undefined): Effects {
  const lines = [...script.matchAll(COMMAND)].flatMap(([, literal]) => literalOf(literal) ?? []);
  const quoted = [...script.matchAll(PATCH_TEXT)].flatMap(
    ([, literal]) => literalOf(literal) ?? [],
  );
  const patches = quoted.length > 0 ? quoted : [patchIn(script) ?? ""];
  const files = patches.flatMap((patch) => filesOfPatch(patch, cwd));
  return {
    ...(lines.length === 0 ? {} : { shellLine: lines.join("\n") }),
    ...(files.length === 0 ? {} : { files }),
  };
}

function literalOf(literal: string | undefined): string | undefined {
  if (literal === undefined) return undefined;
  const parsed = parseJsonText(literal);
  return asName(parsed.isJson ? parsed.value : literal.slice(1, -1));
}

function localShell(item: Json): Body {
  const action = asObject(item["action"]) ?? {};
  const words = (asList(action["command"]) ?? []).map((word) => asText(word) ?? "");
  const name = "local_shell";
  return {
    name,
    ...describeTool(name),
    ...optional("shellLine", shellLineOf(words)),
    args: action,
  };
}

/** Tools that the API runs itself: their record is also their result. */
function serverCall(item: Json, type: string, { at }: CallContext): Body {
  const name = type.replace(/_call$/, "");
  const status = asName(item["status"]);
  const args = item["action"] ?? item["arguments"] ?? {};
  const outcome = status === "failed" || status === "incomplete" ? "error" : "success";
  const ended = { ...optional("status", status), ...optional("at", at) };
  return { name, ...describeTool(name), args, outcome, ...ended };
}
