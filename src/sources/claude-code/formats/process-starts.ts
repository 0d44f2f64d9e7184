import type { Json } from "../../decoding/fields.ts";
import { asName, asObject } from "../../decoding/fields.ts";
import type { Node } from "../content.ts";
import { isResumedByParents } from "./generation.ts";

/**
 * Finds the prompts with which another process went on with a session. Nothing says so, but
 * - print mode takes its only prompt, a string, from a queue that was empty before:
 *   `{"type":"queue-operation","operation":"dequeue","sessionId":"s"}`
 * - an interactive process ends with the command `/exit`
 * - another version is another process
 */
export class ProcessStarts {
  #version: string | undefined;
  #isOver = false;
  #isTaken = false;
  /** Number of records before the line that waits in the queue. */
  #queuedAfter: number | undefined;

  queue(operation: unknown, after: number): void {
    if (operation === "enqueue") {
      this.#queuedAfter = after;
      return;
    }
    // A line that waited for the end of an answer was typed in the same process.
    if (operation === "dequeue") this.#isTaken = (this.#queuedAfter ?? after) === after;
    this.#queuedAfter = undefined;
  }

  /** Notes how the session was resumed, if this is the first prompt of a process. */
  note(node: Node, record: Json): void {
    if (node.isSidechain || (node.kind !== "user" && node.kind !== "answer")) return;
    const version = asName(record["version"]);
    if (this.#version !== undefined && version !== this.#version) this.#isOver = true;
    this.#version = version;
    if (node.kind === "answer") this.#isTaken = false;
    else if (node.command === "/exit" || node.command === "/quit") this.#isOver = true;
    else if (node.role === "prompt") {
      const isAlone = typeof asObject(record["message"])?.["content"] === "string";
      if (this.#isOver || (this.#isTaken && isAlone)) {
        node.resumed = isResumedByParents(version) ? "parents" : "whole";
      }
      this.#isOver = this.#isTaken = false;
    }
  }
}
