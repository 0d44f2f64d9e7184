import { useState } from "preact/hooks";
import { exact } from "../figures.ts";
import { safeText } from "../safe-text.ts";
import type { Run } from "./ansi.ts";
import { ansiRuns } from "./ansi.ts";
import type { DiffLine } from "./diff-lines.ts";

const MOST_SHOWN = 20_000;
const MOST_DIFF_LINES = 800;

/** A long text; only the beginning is shown at first. */
export function Block({ text, colours }: { text: string; colours?: "terminal" }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > MOST_SHOWN;
  const shown = isLong && !isWhole ? text.slice(0, MOST_SHOWN) : text;
  return (
    <>
      <pre class="block" dir="auto" tabIndex={0}>
        {colours === "terminal" ? <Coloured runs={ansiRuns(shown)} /> : safeText(shown)}
      </pre>
      {isLong && !isWhole && (
        <button class="button bare" type="button" onClick={() => setWhole(true)}>
          Show all {exact(text.length)} characters
        </button>
      )}
    </>
  );
}

function Coloured({ runs }: { runs: readonly Run[] }) {
  return (
    <>
      {runs.map(({ text, classes }, at) =>
        classes === "" ? (
          text
        ) : (
          <span key={at} class={classes}>
            {text}
          </span>
        ),
      )}
    </>
  );
}

const SIGNS = { added: "+", removed: "−", same: " ", place: "" } as const;

export interface DiffProps {
  lines: readonly DiffLine[];
  file: string;
  /** In a combined diff: the prompt that led to a step. */
  whyOf?: (step: number) => { href: string; text: string } | undefined;
}

export function Diff({ lines, file, whyOf }: DiffProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, MOST_DIFF_LINES);
  return (
    <>
      <div class="diff" role="group" aria-label={`Changes of ${file}`} tabIndex={0}>
        <table>
          <tbody>
            {shown.map((line, at) => (
              <tr key={at} class={line.kind}>
                <td class="line-number">{line.oldLine}</td>
                <td class="line-number">{line.newLine}</td>
                <td class="sign">{SIGNS[line.kind]}</td>
                <td class="code">{line.text}</td>
                {whyOf && (
                  <td class="why">
                    {line.step !== undefined && line.step !== shown[at - 1]?.step && (
                      <Why why={whyOf(line.step)} />
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < lines.length && (
        <button class="button bare" type="button" onClick={() => setWhole(true)}>
          Show all {exact(lines.length)} lines
        </button>
      )}
    </>
  );
}

function Why({ why }: { why: { href: string; text: string } | undefined }) {
  if (!why) return null;
  return (
    <a href={why.href} title={why.text}>
      why?
    </a>
  );
}
