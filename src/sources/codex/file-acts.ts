import type { EditedPart } from "../../core/session/file-edit.ts";
import type { Json } from "../decoding/fields.ts";
import { asName, asObject, asText } from "../decoding/fields.ts";
import type { ActReader, FileAct, NativeObject, CallActs } from "../native.ts";
import type { PatchSection } from "./file-edits.ts";
import { sectionsOfChanges, sectionsOfPatch } from "./file-edits.ts";
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
    return this.#withModel(callId, this.#actsOf(sectionsOfPatch(patch)));
  }

  #changed(recorded: Json, id: unknown): CallActs[] {
    const callId = asName(id) ?? "";
    this.#patches.delete(callId);
    return this.#withModel(callId, this.#actsOf(sectionsOfChanges(recorded["changes"])));
  }

  #actsOf(sections: readonly PatchSection[]): FileAct[] {
    return sections.flatMap(({ path: recorded, isGone, parts }): FileAct[] => {
      const path = resolved(recorded, this.#cwd);
      if (isGone) return [{ kind: "unclear", path, why: "the file was deleted or moved" }];
      return parts.map((part) => actOf(path, part));
    });
  }

  #withModel(callId: string, acts: FileAct[]): CallActs[] {
    const model = this.#model === undefined ? {} : { model: this.#model };
    return acts.length === 0 ? [] : [{ callId, acts, ...model }];
  }
}

/** The context lines of a hunk locate the change. */
function actOf(path: string, part: EditedPart): FileAct {
  return part.extent === "part" && part.before === ""
    ? { kind: "unclear", path, why: "the patch does not record where it adds lines" }
    : { kind: "edit", path, parts: [part], hand: "ai" };
}
