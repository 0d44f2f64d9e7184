import { useContext, useMemo, useState } from "preact/hooks";
import { address, hrefOf, hrefWith } from "../address.ts";
import { counted, timeOfDay } from "../figures.ts";
import { LineCounts } from "../parts/line-counts.tsx";
import { firstLine, safeText } from "../safe-text.ts";
import { Diff } from "../transcript/block.tsx";
import type { ChangedFile, Step } from "../transcript/changes.ts";
import { combinedOf } from "../transcript/changes.ts";
import { useFold } from "../transcript/folds.ts";
import { anchorOf } from "../transcript/message.tsx";
import { Folder, inFolder } from "../transcript/naming.ts";

/** Number of files that are unfolded at first. */
const OPEN = 6;

/** The changes to each file: combined, and step by step. */
export function SessionChanges({ files }: { files: readonly ChangedFile[] }) {
  const chosen = address.value.query.get("file");
  const shown = chosen === null ? files : files.filter(({ path }) => path === chosen);
  if (files.length === 0) return <p class="blank">No recorded call changed a file.</p>;
  return (
    <div class="changes">
      <p class="soft small">
        {chosen === null ? (
          `${counted(files.length, "file")}. Shell commands may have changed more; they are not tracked.`
        ) : (
          <a href={hrefWith({ file: undefined })}>All {counted(files.length, "file")}</a>
        )}
      </p>
      {shown.map((file) => (
        <File key={file.path} file={file} usual={shown.length <= OPEN ? "open" : "closed"} />
      ))}
    </div>
  );
}

function File({ file, usual }: { file: ChangedFile; usual: "open" | "closed" }) {
  const [isOpen, setOpen] = useFold(usual);
  const folder = useContext(Folder);
  return (
    <details
      class="fold change"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <span class="about" title={safeText(file.path)}>
          {safeText(inFolder(file.path, folder))}
        </span>
        <span class="soft small">{counted(file.steps.length, "step")}</span>
        <LineCounts {...file} />
      </summary>
      {isOpen && <Inside file={file} />}
    </details>
  );
}

function Inside({ file }: { file: ChangedFile }) {
  const combined = useMemo(() => combinedOf(file), [file]);
  const [how, setHow] = useState<"combined" | "steps">("combined");
  const isStepped = how === "steps" || !combined;
  return (
    <div class="tool-inside">
      <p class="small origin">
        <a href={hrefOf("/uses", { path: file.path })}>Every session that touched it</a> ·{" "}
        <a href={hrefOf("/uses", { path: file.path, view: "blame" })}>Who wrote each line</a>
      </p>
      {combined && file.steps.length > 1 && (
        <div class="toolbar">
          <button
            class="button"
            type="button"
            aria-pressed={!isStepped}
            onClick={() => setHow("combined")}
          >
            All at once
          </button>
          <button
            class="button"
            type="button"
            aria-pressed={isStepped}
            onClick={() => setHow("steps")}
          >
            Step by step
          </button>
        </div>
      )}
      {!combined && file.steps.length > 1 && (
        <p class="soft small">
          The steps cannot be combined exactly, so they are shown one by one:{" "}
          {file.steps.some(({ form }) => form === "loose")
            ? "it is not recorded where in the file a text was replaced."
            : "they do not fit together, or not all of them are recorded."}
        </p>
      )}
      {isStepped ? <Stepper file={file} /> : <Combined file={file} combined={combined} />}
    </div>
  );
}

interface CombinedProps {
  file: ChangedFile;
  combined: NonNullable<ReturnType<typeof combinedOf>>;
}

function Combined({ file, combined }: CombinedProps) {
  const [step] = file.steps;
  return (
    <>
      {file.steps.length === 1 && step && <Origin step={step} />}
      {combined.isBaseUnknown && (
        <p class="soft small">The previous content of the file is not recorded.</p>
      )}
      {combined.lines.length === 0 ? (
        <p class="blank">The file ended up unchanged.</p>
      ) : (
        <Diff lines={combined.lines} file={file.path} whyOf={(at) => whyOf(file.steps[at])} />
      )}
    </>
  );
}

/** The prompt that led to a step. */
function whyOf(step: Step | undefined): { href: string; text: string } | undefined {
  const { prompt } = step ?? {};
  if (!prompt) return undefined;
  const here = hrefWith({ view: undefined, file: undefined });
  return { href: `${here}#${anchorOf(prompt.id)}`, text: firstLine(prompt.typed ?? prompt.text) };
}

function Stepper({ file }: { file: ChangedFile }) {
  const [at, setAt] = useState(0);
  const step = file.steps[Math.min(at, file.steps.length - 1)];
  if (!step) return null;
  return (
    <>
      {file.steps.length > 1 && (
        <div class="toolbar">
          <button class="button" type="button" disabled={at === 0} onClick={() => setAt(at - 1)}>
            Previous
          </button>
          <button
            class="button"
            type="button"
            disabled={at >= file.steps.length - 1}
            onClick={() => setAt(at + 1)}
          >
            Next
          </button>
          <span class="soft small" role="status">
            Step {at + 1} of {file.steps.length}
          </span>
        </div>
      )}
      <Origin step={step} />
      {step.lines ? (
        <Diff lines={step.lines} file={file.path} />
      ) : (
        <p class="blank">The change itself is not recorded.</p>
      )}
    </>
  );
}

/** The call that made a change, and the prompt that led to it. */
function Origin({ step: { messageId, prompt, call } }: { step: Step }) {
  const here = hrefWith({ view: undefined, file: undefined });
  return (
    <p class="small origin">
      <a href={`${here}#${anchorOf(messageId)}`}>
        {call.label} {timeOfDay(call.at)}
      </a>
      {prompt ? (
        <>
          {" "}
          <span class="soft">after</span>{" "}
          <a href={`${here}#${anchorOf(prompt.id)}`} dir="auto">
            {firstLine(prompt.typed ?? prompt.text)}
          </a>
        </>
      ) : (
        <span class="soft"> {safeText(call.target ?? "")}</span>
      )}
    </p>
  );
}
