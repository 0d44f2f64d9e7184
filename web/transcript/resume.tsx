import type { ResumeAnswer, RestoreAnswer } from "../../src/index.ts";
import { useAnswer } from "../ask.ts";
import { Confirm } from "../parts/confirm.tsx";
import { safeText } from "../safe-text.ts";
import { CopyButton } from "./message.tsx";

/** The command that resumes the session; restores the session first if the agent deleted it. */
export function Resume({ id }: { id: string }) {
  const session = `/api/sessions/${encodeURIComponent(id)}`;
  const { value } = useAnswer<ResumeAnswer | null>(`${session}/resume`);
  if (!value) return null;
  const line = commandLine(value.projectPath, value.command);
  return (
    <>
      <span class="button-title" title={safeText(line)}>
        <CopyButton text={line} label="Copy resume command" />
      </span>
      {value.restore !== null && (
        <Confirm<RestoreAnswer>
          label="Restore it"
          about={`Writes ${safeText(value.restore.file)}, so that it can be resumed there.`}
          path={`${session}/restore`}
          tell={({ file, outcome }) => `${outcome}: ${safeText(file)}`}
        />
      )}
    </>
  );
}

/** The command line for a terminal. */
export function commandLine(folder: string, command: readonly string[]): string {
  return `cd ${quoted(folder)} && ${command.map(quoted).join(" ")}`;
}

/** Quotes a word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
