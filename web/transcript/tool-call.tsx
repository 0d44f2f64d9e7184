import { Fragment } from "preact";
import { useContext } from "preact/hooks";
import type { ToolCallAnswer, ToolDisplay } from "../../src/index.ts";
import { hrefOf } from "../address.ts";
import { brief, duration, money } from "../figures.ts";
import { LineCounts } from "../parts/line-counts.tsx";
import { safeText } from "../safe-text.ts";
import { Block, Diff } from "./block.tsx";
import { argsOf, changeOf } from "./changes.ts";
import type { DiffLine } from "./diff-lines.ts";
import { Explained, sumsOf } from "./explained.ts";
import { useFold } from "./folds.ts";
import { toolName } from "./naming.ts";
import { Nested } from "./nested.tsx";

const TONES: Readonly<Record<string, string>> = {
  success: "good",
  error: "bad",
  cancelled: "warn",
};

/** One call, folded to a line; inside, its arguments and results. */
export function ToolCall({ call, since }: { call: ToolCallAnswer; since: string | null }) {
  const [isOpen, setOpen] = useFold();
  const took = tookMs(since, call.at);
  return (
    <details
      class="tool"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-call={call.id}
      data-outcome={call.outcome ?? "none"}
    >
      <summary>
        <strong>{safeText(toolName(call))}</strong>
        <span class="about" dir="auto">
          {safeText(call.target ?? "")}
        </span>
        {call.mcp && <span class="badge">{safeText(call.mcp.server)}</span>}
        <Lines call={call} />
        {call.agentId !== null && <AgentSums id={call.agentId} />}
        {call.outcome !== "success" && (
          <span class={`badge ${TONES[call.outcome ?? ""] ?? ""}`}>
            {call.outcome ?? "no result"}
          </span>
        )}
        {took !== undefined && <span class="soft small number">{duration(took)}</span>}
      </summary>
      {isOpen && <Inside call={call} />}
    </details>
  );
}

/** The number of changed lines, in all files; a failed call changed none. */
function Lines({ call: { files, outcome } }: { call: ToolCallAnswer }) {
  const changed = files.filter(({ how }) => how !== "read");
  if (outcome === "error" || changed.length === 0) return null;
  return (
    <LineCounts
      addedLines={sumOf(changed.map(({ addedLines }) => addedLines))}
      removedLines={sumOf(changed.map(({ removedLines }) => removedLines))}
    />
  );
}

/** The sum, or undefined if one of them is unknown. */
function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce((sum, count) => {
    return sum === undefined || count === undefined ? undefined : sum + count;
  }, 0);
}

/** The usage of the subagent that the call started. */
function AgentSums({ id }: { id: string }) {
  const sums = sumsOf(useContext(Explained), id);
  if (!sums) return null;
  return (
    <span class="soft small number" title="The subagent's own">
      {brief(sums.tokens)} tokens
      {sums.costMicroUsd !== null && ` · ${money(sums.costMicroUsd)}`}
    </span>
  );
}

export function tookMs(since: string | null, at: string | null): number | undefined {
  const ms = Date.parse(at ?? "") - Date.parse(since ?? "");
  return Number.isNaN(ms) || ms <= 0 ? undefined : ms;
}

function Inside({ call }: { call: ToolCallAnswer }) {
  const { display, output, agentId, outputFile, isCut } = call;
  const change = changeOf(call);
  return (
    <div class="tool-inside">
      <Ways call={call} />
      <Args call={call} shows={change.lines || display?.kind === "todos" ? "short" : "all"} />
      {change.lines && <Change call={call} lines={change.lines} />}
      {display && display.kind !== "diff" && !isSaidTwice(display, output) && (
        <Display display={display} />
      )}
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

/** Links to all uses of the same tool, command, server and files, and to the tool's failures. */
function Ways({ call: { name, mcp, files, shellLine, outcome } }: { call: ToolCallAnswer }) {
  const command = shellLine === null ? undefined : /^[\w.-]+(?=\s|$)/.exec(shellLine)?.[0];
  const links: (readonly [text: string, asked: Record<string, string>])[] = [
    [`All uses of ${name}`, { tool: name }],
    ...(outcome === "error" ? [["its failures", { tool: name, outcome }] as const] : []),
    ...(command === undefined ? [] : [[command, { command }] as const]),
    ...(mcp ? [[mcp.server, { server: mcp.server }] as const] : []),
    ...files.slice(0, 3).map(({ path }) => [path.split(/[\\/]/).at(-1) ?? path, { path }] as const),
  ];
  return (
    <p class="small origin">
      {links.map(([text, asked], at) => (
        <Fragment key={text}>
          {at > 0 && " · "}
          <a href={hrefOf("/uses", asked)}>{safeText(text)}</a>
        </Fragment>
      ))}
    </p>
  );
}

/** The change of a file, whether it was written, edited or patched. */
function Change({ call, lines }: { call: ToolCallAnswer; lines: readonly DiffLine[] }) {
  const { display } = call;
  const [file] = call.files;
  const path = display?.kind === "diff" ? display.file : (file?.path ?? "");
  const isNew = display?.kind === "diff" ? display.isNewFile : file?.how === "written";
  return (
    <section>
      <h2>
        {isNew ? "Written" : "Changes"} <code>{safeText(path)}</code>
      </h2>
      <Diff lines={lines} file={path} />
    </section>
  );
}

/** Many tools display their output or part of it; avoid showing it twice. */
function isSaidTwice(display: ToolDisplay, output: string | null): boolean {
  const isText = display.kind === "text" || display.kind === "terminal";
  const shown = isText ? display.text : display.kind === "agent" ? display.result : undefined;
  return shown !== undefined && output?.includes(shown.trim()) === true;
}

/** Longer arguments are hidden if the change itself is shown. */
const SHORT = 200;

function Args({ call, shows }: { call: ToolCallAnswer; shows: "all" | "short" }) {
  const values = [...argsOf(call)].filter(([key, value]) => {
    return shows === "all" || (!CHANGING.has(key) && isShort(value));
  });
  if (values.length === 0) return null;
  return (
    <section>
      <h2>
        Given to <code>{safeText(call.name)}</code>
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

/** Arguments that are shown separately. */
const CHANGING = new Set([
  "content",
  "old_string",
  "new_string",
  "edits",
  "input",
  "patch",
  "todos",
]);

function isShort(value: unknown): boolean {
  return typeof value === "string" ? value.length <= SHORT : typeof value !== "object";
}

function Display({ display }: { display: ToolDisplay }) {
  switch (display.kind) {
    case "diff":
      return null;
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
