import type { Json } from "../decoding/fields.ts";
import { asName, asObject, asText } from "../decoding/fields.ts";
import type { ActReader, FileAct, NativeObject, CallActs } from "../native.ts";
import { resolved } from "./patch.ts";
import { toolTable } from "./tools.ts";

/**
 * Reads what calls did to files. What shell commands read is unknown, so the text of a file is
 * known only if a patch added the file. A change is recorded by Codex, or is in the patch itself:
 *
 *     {"type": "patch_apply_end", "call_id": "c1", "success": true, "changes":
 *      {"/a.c": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-x\n+y\n", "move_path": null}}}
 *     {"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch", "input": "*** Begin…"}
 */
export function actReader(): ActReader {
  const reader = new Reader();
  return (line) => reader.read(line);
}

class Reader {
  readonly #patches = new Map<string, string>();
  readonly #shells = new Set<string>();
  #model: string | undefined;
  #cwd: string | undefined;

  read(line: NativeObject): CallActs[] {
    const payload = asObject(line["payload"]) ?? asObject(line) ?? {};
    if (line["type"] === "turn_context" || line["type"] === "session_meta") {
      this.#model = asName(payload["model"]) ?? this.#model;
      this.#cwd = asName(payload["cwd"]) ?? this.#cwd;
      return [];
    }
    switch (payload["type"]) {
      case "custom_tool_call":
      case "function_call":
      case "local_shell_call":
        this.#remember(payload);
        return [];
      case "custom_tool_call_output":
      case "function_call_output":
        return this.#ended(payload);
      case "patch_apply_end":
        return payload["success"] === true ? this.#changed(payload, payload["call_id"]) : [];
      case "item_completed": {
        const item = asObject(payload["item"]) ?? {};
        const isDone = item["type"] === "FileChange" && item["status"] === "completed";
        return isDone ? this.#changed(item, item["id"]) : [];
      }
      default:
        return [];
    }
  }

  #remember(call: Json): void {
    const id = asName(call["call_id"]) ?? asName(call["id"]);
    const name = asText(call["name"]) ?? "";
    const input = asText(call["input"]);
    if (id === undefined) return;
    if (name === "apply_patch" && input !== undefined) this.#patches.set(id, input);
    else if (toolTable.find(name)?.category === "Execute") this.#shells.add(id);
    else if (call["type"] === "local_shell_call") this.#shells.add(id);
  }

  /** Uses the patch only if Codex did not record the change itself. */
  #ended(output: Json): CallActs[] {
    const callId = asName(output["call_id"]) ?? "";
    if (this.#shells.delete(callId)) return this.#withModel(callId, [{ kind: "shell" }]);
    const patch = this.#patches.get(callId);
    const isDone = /Success\. Updated the following files/.test(JSON.stringify(output["output"]));
    this.#patches.delete(callId);
    if (patch === undefined || !isDone) return [];
    return this.#withModel(callId, actsOfPatch(patch, this.#cwd));
  }

  #changed(recorded: Json, id: unknown): CallActs[] {
    const callId = asName(id) ?? "";
    this.#patches.delete(callId);
    const changes = Object.entries(asObject(recorded["changes"]) ?? {});
    const acts = changes.flatMap(([path, change]) => {
      return actsOfChange(resolved(path, this.#cwd), asObject(change) ?? {});
    });
    return this.#withModel(callId, acts);
  }

  #withModel(callId: string, acts: FileAct[]): CallActs[] {
    const model = this.#model === undefined ? {} : { model: this.#model };
    return acts.length === 0 ? [] : [{ callId, acts, ...model }];
  }
}

const GONE = "the file was deleted or moved";

function actsOfChange(path: string, change: Json): FileAct[] {
  const text = asText(change["content"]);
  const diff = asText(change["unified_diff"]);
  if (asName(change["move_path"]) !== undefined || change["type"] === "delete") {
    return [{ kind: "unclear", path, why: GONE }];
  }
  if (change["type"] === "add" && text !== undefined) {
    return [{ kind: "write", path, text, was: "new", hand: "ai" }];
  }
  return diff === undefined ? [] : hunksOf(diff.split("\n")).flatMap((hunk) => actOf(path, hunk));
}

/** `*** Add File: a`, `*** Update File: b`, each with its lines. */
function actsOfPatch(patch: string, cwd: string | undefined): FileAct[] {
  const parts = patch.split(/^\*\*\* (?=(?:Add|Update|Delete) File: )/m).slice(1);
  return parts.flatMap((part): FileAct[] => {
    const [heading = "", ...lines] = part.split("\n");
    const [, how, name = ""] = /^(Add|Update|Delete) File: (.+?)\s*$/.exec(heading) ?? [];
    const path = resolved(name, cwd);
    const isMoved = lines[0]?.startsWith("*** Move to: ") === true;
    if (how === "Delete" || isMoved) return [{ kind: "unclear", path, why: GONE }];
    const own = lines.filter((line) => !line.startsWith("***"));
    if (how !== "Add") return hunksOf(own).flatMap((hunk) => actOf(path, hunk));
    const text = own.filter((line) => line.startsWith("+")).map((line) => `${line.slice(1)}\n`);
    return [{ kind: "write", path, text: text.join(""), was: "new", hand: "ai" }];
  });
}

/** Returns the lines of each hunk without its heading. */
function hunksOf(lines: readonly string[]): string[][] {
  const hunks: string[][] = [];
  for (const line of lines) {
    if (line.startsWith("@@")) hunks.push([]);
    else if (/^[-+ ]/.test(line)) {
      if (hunks.length === 0) hunks.push([]);
      hunks.at(-1)?.push(line);
    }
  }
  return hunks.filter((hunk) => hunk.length > 0);
}

/** The context lines of a hunk locate the change. */
function actOf(path: string, hunk: readonly string[]): FileAct[] {
  const without = (sign: string): string => {
    return hunk
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  };
  const [old, fresh] = [without("+"), without("-")];
  if (old === "") {
    return [{ kind: "unclear", path, why: "the patch does not record where it adds lines" }];
  }
  return [{ kind: "replace", path, old, fresh, times: 1, hand: "ai" }];
}
