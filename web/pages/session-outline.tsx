import type { MessageAnswer } from "../../src/index.ts";
import { hrefWith } from "../address.ts";
import { LineCounts } from "../parts/line-counts.tsx";
import { firstLine, safeText } from "../safe-text.ts";
import type { ChangedFile } from "../transcript/changes.ts";
import { anchorOf } from "../transcript/message.tsx";

const MOST_PROMPTS = 300;
const MOST_FILES = 100;

interface SessionOutlineProps {
  messages: readonly MessageAnswer[];
  files: readonly ChangedFile[];
}

/** Links to all prompts and changed files. */
export function SessionOutline({ messages, files }: SessionOutlineProps) {
  const prompts = messages.filter(({ isPrompt }) => isPrompt);
  if (prompts.length + files.length === 0) return <div class="outline" />;
  return (
    <aside class="outline" aria-label="Prompts and changed files">
      {prompts.length > 0 && (
        <nav aria-label="Prompts">
          <h2>Prompts</h2>
          <ol class="prompts">
            {prompts.slice(-MOST_PROMPTS).map(({ id, typed, text, standing }) => (
              <li key={id} class={standing}>
                <a href={`${hrefWith({ view: undefined })}#${anchorOf(id)}`} dir="auto">
                  {firstLine(typed ?? text)}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      {files.length > 0 && (
        <nav aria-label="Changed files">
          <h2>Changed files</h2>
          <ul class="changed">
            {files.slice(0, MOST_FILES).map((file) => (
              <li key={file.path}>
                <a
                  href={hrefWith({ view: "changes", file: file.path })}
                  title={safeText(file.path)}
                >
                  <span class="name">{safeText(baseName(file.path))}</span>
                  <LineCounts {...file} />
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </aside>
  );
}

export function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
