import { useState } from "preact/hooks";
import type { MessageAnswer, ToolCallAnswer } from "../../src/index.ts";
import { hrefOf, hrefWith } from "../address.ts";
import { counted, duration, exact, timeOfDay } from "../figures.ts";
import { safeText } from "../safe-text.ts";
import { anchorOf } from "../transcript/message.tsx";
import { toolName } from "../transcript/naming.ts";
import { tookMs } from "../transcript/tool-call.tsx";

const MOST = 500;

interface Called {
  call: ToolCallAnswer;
  message: MessageAnswer;
}

/** All calls of the session as a table; the same calls that its head counts. */
export function SessionCalls({ messages }: { messages: readonly MessageAnswer[] }) {
  const [words, setWords] = useState("");
  const all = messages.flatMap((message) => {
    return message.toolCalls.map((call): Called => ({ call, message }));
  });
  const wanted = words.trim().toLowerCase();
  const found = all.filter(({ call }) => {
    const text = `${call.label} ${call.name} ${call.outcome ?? "no result"} ${call.target ?? ""}`;
    return text.toLowerCase().includes(wanted);
  });
  if (all.length === 0) return <p class="blank">No tool calls.</p>;
  return (
    <>
      <div class="filters">
        <input
          class="field grow"
          type="search"
          aria-label="Filter calls"
          placeholder="Filter: a tool, a path, error…"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <span class="soft small" role="status">
          {exact(found.length)} of {counted(all.length, "call")}
        </span>
      </div>
      <div class="table-wrap card" tabIndex={0}>
        <table class="calls stacks">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Tool</th>
              <th scope="col">About</th>
              <th scope="col">Outcome</th>
              <th scope="col" class="number">
                Took
              </th>
              <th scope="col">
                <span class="hidden-label">Elsewhere</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, MOST).map((row, at) => (
              <Row key={`${row.call.id} ${at}`} {...row} />
            ))}
          </tbody>
        </table>
      </div>
      {found.length > MOST && (
        <p class="soft small">The first {exact(MOST)} are shown; use the filter to find others.</p>
      )}
    </>
  );
}

function Row({ call, message }: Called) {
  const took = tookMs(message.at, call.at);
  const isBad = call.outcome === "error";
  return (
    <tr>
      <td class="soft">{timeOfDay(message.at)}</td>
      <td>
        <a href={`${hrefWith({ view: undefined })}#${anchorOf(message.id)}`}>
          {safeText(toolName(call))}
        </a>
      </td>
      <td class="mono">{safeText(call.target ?? "")}</td>
      <td>
        {call.outcome === "success" ? (
          <span class="soft">success</span>
        ) : (
          <span class={isBad ? "badge bad" : "badge warn"}>{call.outcome ?? "no result"}</span>
        )}
      </td>
      <td class={took === undefined ? "number nil" : "number"} data-name="Took">
        {took === undefined ? "–" : duration(took)}
      </td>
      <td>
        <a href={elsewhere(call)} title="In other sessions">
          Elsewhere
        </a>
      </td>
    </tr>
  );
}

/** Where other calls like this one are: of the same command, file or tool. */
function elsewhere({ name, shellLine, files }: ToolCallAnswer): string {
  if (shellLine !== null) return hrefOf("/search", { q: phraseOf(shellLine), in: "tools" });
  const [file] = files;
  return hrefOf("/uses", file ? { path: file.path } : { tool: name });
}

/** A search phrase that finds a command: its first words, quoted. */
function phraseOf(line: string): string {
  return `"${line.replaceAll('"', " ").trim().split(/\s+/).slice(0, 8).join(" ")}"`;
}
