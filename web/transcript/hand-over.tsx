import { useState } from "preact/hooks";
import type { HandoverAnswer } from "../../src/index.ts";
import { hrefOf } from "../address.ts";
import type { About } from "../answers.ts";
import { ask, useAnswer } from "../ask.ts";
import { brief, counted, sizeOf } from "../figures.ts";
import { Modal } from "../parts/modal.tsx";
import { Pending, Skeleton } from "../parts/states.tsx";
import { Coded } from "../parts/coded.tsx";
import { safeText } from "../safe-text.ts";
import { CopyButton } from "./message.tsx";
import { commandLine } from "./resume.tsx";

/** Hands the session over to another agent: first shows what would be written, then writes it. */
export function HandOver({ id }: { id: string }) {
  const takers = useAnswer<About>("/api/about").value?.takers ?? [];
  const [to, setTo] = useState("");
  if (takers.length === 0) return null;
  const name = takers.find((taker) => taker.id === to)?.name ?? to;
  return (
    <>
      <select
        class="field"
        aria-label="Hand over to"
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      >
        <option value="">Hand over…</option>
        {takers.map((taker) => (
          <option key={taker.id} value={taker.id}>
            to {taker.name}
          </option>
        ))}
      </select>
      {to !== "" && (
        <Modal title={`Hand over to ${name}`} closed={() => setTo("")}>
          <Plan path={`/api/sessions/${encodeURIComponent(id)}/handover/${to}`} />
        </Modal>
      )}
    </>
  );
}

function Plan({ path }: { path: string }) {
  const [folder, setFolder] = useState("");
  const where = { project: folder };
  const planned = useAnswer<HandoverAnswer>(hrefOf(path, where));
  const [written, setWritten] = useState<HandoverAnswer | undefined>(undefined);
  const [complaint, setComplaint] = useState("");
  const write = async (): Promise<void> => {
    try {
      const body = JSON.stringify({ confirm: true });
      const to = hrefOf(`${path}/write`, where);
      setWritten((await ask<HandoverAnswer>(to, { method: "POST", body })).value);
    } catch (error) {
      setComplaint(error instanceof Error ? error.message : "Something went wrong.");
    }
  };
  if (planned.error) {
    return (
      <p class="confirm-text" role="alert">
        {planned.error.message}{" "}
        <span class="soft">
          <Coded text={planned.error.remedy ?? ""} />
        </span>
      </p>
    );
  }
  if (!planned.value) return <Skeleton lines={5} />;
  if (written) return <Written answer={written} />;
  return (
    <>
      <Pending isWaiting={planned.isWaiting}>
        <Facts answer={planned.value} />
      </Pending>
      <label class="folder">
        <span class="small soft">
          {planned.value.isProjectThere
            ? "In the folder"
            : "This folder does not exist. Use instead"}
        </span>
        <input
          class="field"
          value={folder === "" ? planned.value.projectPath : folder}
          onChange={(event) => setFolder(event.currentTarget.value)}
        />
      </label>
      {complaint !== "" && <p role="alert">{complaint}</p>}
      <div class="toolbar">
        <button
          class="button main"
          type="button"
          disabled={planned.isWaiting || !planned.value.isProjectThere}
          onClick={() => void write()}
        >
          Write it
        </button>
      </div>
    </>
  );
}

function Facts({ answer }: { answer: HandoverAnswer }) {
  const { carried, file, sizeBytes, alsoWritten, tokens, secretsMasked, losses, remarks } = answer;
  const parts = [
    counted(carried.prompts, "prompt"),
    counted(carried.answers, "answer"),
    counted(carried.calls, "call"),
    ...(carried.pictures > 0 ? [counted(carried.pictures, "picture")] : []),
  ];
  return (
    <div class="confirm-text">
      <p>
        Writes <code>{safeText(file)}</code> ({sizeOf(sizeBytes)})
        {alsoWritten.map((path) => (
          <>
            , <code>{safeText(path)}</code>
          </>
        ))}
        .
      </p>
      <p>
        Includes {parts.join(", ")}: about {brief(tokens)} tokens with the first request.
        {secretsMasked !== null &&
          secretsMasked > 0 &&
          ` ${counted(secretsMasked, "secret")} masked.`}
      </p>
      {losses.length > 0 && (
        <ul class="bullets small">
          {losses.map(({ what, count, why }) => (
            <li key={what + why}>
              {counted(count, safeText(what))}: {safeText(why)}
            </li>
          ))}
        </ul>
      )}
      {answer.to.program === null && (
        <p class="small">
          Pollux finds no program <code>{safeText(answer.command[0] ?? "")}</code> here.
        </p>
      )}
      {remarks.map((remark) => (
        <p key={remark} class="soft small">
          <Coded text={remark} />
        </p>
      ))}
    </div>
  );
}

function Written({ answer }: { answer: HandoverAnswer }) {
  const line = commandLine(answer.projectPath, answer.command);
  const [state, setState] = useState("there");
  const undo = async (): Promise<void> => {
    try {
      const path = `/api/handovers/${encodeURIComponent(answer.sessionId)}/undo`;
      await ask(path, { method: "POST", body: JSON.stringify({ confirm: true }) });
      setState("undone");
    } catch (error) {
      setState(error instanceof Error ? error.message : "Something went wrong.");
    }
  };
  if (state === "undone") return <p class="confirm-text">The new session was removed.</p>;
  return (
    <>
      <p class="confirm-text" role="status">
        The new session was written. To resume it:
      </p>
      <pre tabIndex={0}>{safeText(line)}</pre>
      {state !== "there" && <p role="alert">{state}</p>}
      <div class="toolbar">
        <CopyButton text={line} label="Copy command" />
        <button class="button" type="button" onClick={() => void undo()}>
          Undo
        </button>
      </div>
    </>
  );
}
