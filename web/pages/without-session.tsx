import type { SessionList } from "../../src/index.ts";
import { useAnswer } from "../ask.ts";
import { counted, exact, when } from "../figures.ts";
import { Failed, Waiting } from "../parts/states.tsx";
import { safeText } from "../safe-text.ts";
import { NumberHeads } from "../parts/number-heads.tsx";

export type KindWithoutSession = "saved-chat" | "prompt-log";

/** Saved chats and prompt logs: conversations without a session. */
export function WithoutSession({ request, kind }: { request: string; kind: KindWithoutSession }) {
  const { value, error } = useAnswer<SessionList>(request);
  if (error && !value) return <Failed error={error} />;
  if (!value) return <Waiting />;
  const count = kind === "saved-chat" ? value.savedChats.length : value.promptLogs.length;
  if (count === 0) return <p class="blank">None.</p>;
  return (
    <section class="card">
      {kind === "saved-chat" ? <Chats list={value} /> : <Logs list={value} />}
    </section>
  );
}

function Chats({ list }: { list: SessionList }) {
  return (
    <div class="table-wrap" tabIndex={0}>
      <table class="stacks">
        <thead>
          <tr>
            <th scope="col">Saved as</th>
            <th scope="col">Project</th>
            <th scope="col">Saved</th>
            <NumberHeads names={["Prompts", "Messages"]} />
          </tr>
        </thead>
        <tbody>
          {list.savedChats.map(({ id, tag, project, savedAt, prompts, messages, file }) => (
            <tr key={id}>
              <td title={file}>
                <a href={`/sessions/${encodeURIComponent(id)}`} dir="auto">
                  {safeText(tag)}
                </a>
              </td>
              <td>{safeText(project.name)}</td>
              <td>{when(savedAt)}</td>
              <td class="number" data-name="Prompts">
                {exact(prompts)}
              </td>
              <td class="number" data-name="Messages">
                {exact(messages)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Logs({ list }: { list: SessionList }) {
  return (
    <>
      <p class="soft small">The sessions are gone; only the prompts are left.</p>
      {list.promptLogs.map(({ sessionId, project, prompts, updatedAt }) => (
        <details key={sessionId} class="found">
          <summary>
            {safeText(project.name)} · {when(updatedAt)} · {counted(prompts.length, "prompt")}
          </summary>
          <ol>
            {prompts.map(({ text, at }, number) => (
              <li key={number} class="found" dir="auto">
                {safeText(text)} <span class="soft small">{when(at)}</span>
              </li>
            ))}
          </ol>
        </details>
      ))}
    </>
  );
}
