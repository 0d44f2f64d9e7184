import { useEffect } from "preact/hooks";
import type { MessageAnswer, Transcript } from "../../src/index.ts";
import type { GrowthPoint } from "../charts/growth-line.tsx";
import { GrowthLine } from "../charts/growth-line.tsx";
import { sizeOf } from "../figures.ts";
import { isTyping } from "../parts/keys.tsx";
import { safeText } from "../safe-text.ts";
import { anchorOf } from "../transcript/message.tsx";

const MOST_PROMPTS = 300;

interface SessionSideProps {
  transcript: Transcript;
  visible: readonly MessageAnswer[];
}

/** Beside the conversation: how the context grew, and the way to every prompt. */
export function SessionSide({ transcript, visible }: SessionSideProps) {
  const points = growthOf(transcript.messages);
  const prompts = visible.filter(({ isPrompt }) => isPrompt);
  return (
    <aside class="side" aria-label="About this session">
      {points.length > 1 && (
        <section>
          <h2>Context</h2>
          <GrowthLine points={points} />
        </section>
      )}
      {prompts.length > 0 && (
        <nav aria-label="Prompts">
          <h2>Prompts</h2>
          <ol class="prompts">
            {prompts.slice(-MOST_PROMPTS).map(({ id, typed, text, standing }) => (
              <li key={id} class={standing}>
                <a href={`#${anchorOf(id)}`} dir="auto">
                  {firstLine(typed ?? text)}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <section>
        <h2>Files</h2>
        <ul class="files">
          {transcript.session.files.map(({ path, format, part, sizeBytes }) => (
            <li key={path}>
              <code>{safeText(path)}</code>
              <div class="soft small">
                {format}, {part}, {sizeOf(sizeBytes)}
              </div>
            </li>
          ))}
        </ul>
      </section>
    </aside>
  );
}

function firstLine(text: string): string {
  const line = safeText(text).trim().split("\n", 1)[0] ?? "";
  return line.length > 90 ? `${line.slice(0, 90)}…` : line || "…";
}

/** The prompt of every paid reply, in the order in which they were made. */
function growthOf(messages: readonly MessageAnswer[]): GrowthPoint[] {
  let isCompressed = false;
  return messages.flatMap((message): GrowthPoint[] => {
    const isSummary = message.injections.some(({ kind }) => kind === "compression-summary");
    if (isSummary && message.standing === "live") isCompressed = true;
    const input = message.tokens?.input ?? 0;
    if (message.author !== "model" || input === 0) return [];
    const point = { tokens: input, isCompressed };
    isCompressed = false;
    return [point];
  });
}

/** `n` and `p` go from prompt to prompt. */
export function usePromptKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event) || (event.key !== "n" && event.key !== "p")) return;
      const prompts = [...document.querySelectorAll<HTMLElement>(".message.prompt")];
      const edge = 90;
      const below = prompts.filter((item) => item.getBoundingClientRect().top > edge + 8);
      const above = prompts.filter((item) => item.getBoundingClientRect().top < edge - 40);
      const next = event.key === "n" ? below[0] : above.at(-1);
      next?.scrollIntoView({ block: "start" });
      next?.focus({ preventScroll: true });
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
