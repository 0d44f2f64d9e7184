import { useState } from "preact/hooks";
import type { Blame } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { hrefOf, messageHref } from "../address.ts";
import { counted, exact, periodName } from "../figures.ts";
import { AgentBadge } from "../parts/agents.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import { safeText } from "../safe-text.ts";
import "../style/transcript.css";

const MOST_LINES = 2000;

/** Each line of the current file, with the session and prompt that wrote it. */
export function FileBlame({ path }: { path: string }) {
  const { value, error } = useAnswer<Blame>(hrefOf("/api/blame", { path }));
  if (error && !value) return <Failed error={error} />;
  if (!value) return <Waiting />;
  return (
    <>
      {value.textFrom === "record" && (
        <p>
          The file does not exist, or is outside of the project where agents touched it. These are
          its lines after the last recorded edit.
        </p>
      )}
      <p class="soft">
        {counted(value.explained, "line")} of {exact(value.lines.length)} are explained by{" "}
        {counted(value.edits.length, "recorded edit")}. The others were not written by an agent, or
        the session is missing.
      </p>
      <Lines blame={value} />
    </>
  );
}

function Lines({ blame }: { blame: Blame }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? blame.lines : blame.lines.slice(0, MOST_LINES);
  return (
    <>
      <div class="diff blame" role="group" aria-label={`Lines of ${blame.path}`} tabIndex={0}>
        <table>
          <tbody>
            {shown.map((line, at) => (
              <tr key={line.number}>
                <td class="line-number">{line.number}</td>
                <td class="code">{safeText(line.text)}</td>
                <td class="origin">
                  {line.edit !== (shown[at - 1]?.edit ?? undefined) && (
                    <Origin edit={line.edit === null ? undefined : blame.edits[line.edit]} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < blame.lines.length && (
        <button class="button" type="button" onClick={() => setWhole(true)}>
          Show all {exact(blame.lines.length)} lines
        </button>
      )}
    </>
  );
}

function Origin({ edit }: { edit: Blame["edits"][number] | undefined }) {
  if (!edit) return <span class="soft">not by an agent, or unknown</span>;
  const { session, messageId, at, model, prompt, by } = edit;
  const href = messageHref({ source: session.source, sessionId: session.id, messageId });
  return (
    <a href={href} title={safeText(prompt?.text ?? session.title ?? session.id)}>
      <AgentBadge source={session.source} />
      <span class="soft">
        {[
          at === null ? "" : periodName(at.slice(0, 10)),
          model ?? "",
          by === "mixed" ? "changed by the user" : "",
        ]
          .filter((part) => part !== "")
          .join(" · ")}
      </span>{" "}
      {safeText(prompt?.text ?? session.title ?? session.id)}
    </a>
  );
}
