import { useState } from "preact/hooks";
import type { ToolCallAnswer, ToolDisplay } from "../../src/index.ts";
import { duration } from "../figures.ts";
import { safeText } from "../safe-text.ts";
import { Block, Diff } from "./block.tsx";
import { Nested } from "./nested.tsx";

const TONES: Readonly<Record<string, string>> = {
  success: "good",
  error: "bad",
  cancelled: "warn",
};
const LONGEST_ABOUT = 140;

/** One call, folded to a line; inside, all it was given and gave back. */
export function ToolCall({ call, since }: { call: ToolCallAnswer; since: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const took = tookMs(since, call.at);
  return (
    <details
      class="tool"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-call={call.id}
    >
      <summary>
        <span class={`dot ${TONES[call.outcome ?? ""] ?? ""}`} aria-hidden="true" />
        <strong>{call.label}</strong>
        <span class="about" dir="auto">
          {about(call)}
        </span>
        {call.mcp && <span class="badge">{call.mcp.server}</span>}
        {call.outcome !== "success" && (
          <span class={`badge ${TONES[call.outcome ?? ""] ?? ""}`}>
            {call.outcome ?? "no result"}
          </span>
        )}
        {took !== undefined && <span class="soft small">{duration(took)}</span>}
      </summary>
      {isOpen && <Inside call={call} />}
    </details>
  );
}

function tookMs(since: string | null, at: string | null): number | undefined {
  const ms = Date.parse(at ?? "") - Date.parse(since ?? "");
  return Number.isNaN(ms) || ms <= 0 ? undefined : ms;
}

const ABOUT = ["command", "file_path", "path", "pattern", "query", "url", "absolute_path"];
const TASK = ["prompt", "objective", "task", "question", "query", "request"];

/** What the call is about, in one line: the command, the file, the pattern. */
function about({ args, description, name, label }: ToolCallAnswer): string {
  const text = label === "Agent" ? agentTask(args, name) : textOf(args, ABOUT);
  const line = safeText(text ?? description ?? name).replace(/\s+/g, " ");
  return line.length > LONGEST_ABOUT ? `${line.slice(0, LONGEST_ABOUT)}…` : line;
}

/** Who was asked, and what: versions differ in how they name both. */
function agentTask(args: unknown, name: string): string {
  const agent = textOf(args, ["agent_name", "agentName"]) ?? name;
  const task = textOf(args, TASK);
  return task === undefined ? agent : `${agent}: ${task}`;
}

/** The first of these arguments that is a text. */
function textOf(args: unknown, names: readonly string[]): string | undefined {
  const values = new Map(typeof args === "object" && args !== null ? Object.entries(args) : []);
  return names.map((item) => values.get(item)).find((value) => typeof value === "string");
}

function Inside({ call }: { call: ToolCallAnswer }) {
  const { display, output, agentId, outputFile, isCut } = call;
  return (
    <div class="tool-inside">
      <Args args={call.args} name={call.name} />
      {display && !isSaidTwice(display, output) && <Display display={display} />}
      {output !== null && output !== "" && (
        <section>
          <h2>Output</h2>
          <Block text={output} colours="terminal" />
        </section>
      )}
      {isCut && (
        <p class="soft small">
          Only its beginning was recorded.
          {outputFile !== null && (
            <>
              {" "}
              The whole: <code>{outputFile}</code>
            </>
          )}
        </p>
      )}
      {agentId !== null && <Nested id={agentId} />}
    </div>
  );
}

/** Many tools show what they give back, or a part of it. */
function isSaidTwice(display: ToolDisplay, output: string | null): boolean {
  const isText = display.kind === "text" || display.kind === "terminal";
  const shown = isText ? display.text : display.kind === "agent" ? display.result : undefined;
  return shown !== undefined && output?.includes(shown.trim()) === true;
}

function Args({ args, name }: { args: unknown; name: string }) {
  const values = typeof args === "object" && args !== null ? Object.entries(args) : [];
  if (values.length === 0) return null;
  return (
    <section>
      <h2>
        Given to <code>{safeText(name)}</code>
      </h2>
      <dl class="args">
        {values.map(([key, value]) => (
          <div key={key}>
            <dt>{safeText(key)}</dt>
            <dd>
              <Block
                text={typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "")}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Display({ display }: { display: ToolDisplay }) {
  switch (display.kind) {
    case "diff":
      return (
        <section>
          <h2>
            {display.isNewFile ? "New file" : "Changes"} <code>{safeText(display.file)}</code>
            {display.stat && (
              <span class="soft">
                {" "}
                +{display.stat.addedLines} −{display.stat.removedLines}
              </span>
            )}
          </h2>
          <Diff diff={display.diff} file={display.file} />
        </section>
      );
    case "todos":
      return <Todos todos={display.todos} />;
    case "terminal":
      return <Shown text={display.text} colours="terminal" />;
    case "text":
      return <Shown text={display.text} />;
    case "agent":
      return <Shown text={display.result ?? ""} />;
    case "summary":
      return <Shown text={display.summary} />;
    case "unknown":
      return null;
    default:
      return display satisfies never;
  }
}

function Shown({ text, colours }: { text: string; colours?: "terminal" }) {
  if (text === "") return null;
  return (
    <section>
      <h2>Shown</h2>
      <Block text={text} {...(colours ? { colours } : {})} />
    </section>
  );
}

const MARKS: Readonly<Record<string, string>> = {
  completed: "☑",
  in_progress: "◐",
  cancelled: "☒",
  blocked: "☒",
};

function Todos({ todos }: { todos: readonly { description: string; status: string }[] }) {
  return (
    <ul class="todos">
      {todos.map(({ description, status }, at) => (
        <li key={at} data-status={status}>
          <span aria-label={status}>{MARKS[status] ?? "☐"}</span>{" "}
          <span dir="auto">{safeText(description)}</span>
        </li>
      ))}
    </ul>
  );
}
