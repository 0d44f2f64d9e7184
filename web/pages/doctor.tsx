import { useState } from "preact/hooks";
import type { DoctorAnswer, Library } from "../../src/index.ts";
import { sessionHref } from "../address.ts";
import type { About } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { counted, exact, when } from "../figures.ts";
import { DeletionNote } from "../parts/deletion.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import { safeText } from "../safe-text.ts";
import "../style/transcript.css";

/** What was examined, what was understood, and what may be lost. */
export default function Doctor() {
  const { value, error } = useAnswer<DoctorAnswer>("/api/doctor");
  if (error && !value) return <Failed error={error} isPage />;
  if (!value) return <Waiting />;
  return (
    <div class="stack">
      <div class="page-head">
        <h1>Doctor</h1>
        <Keep />
      </div>
      <p class="soft">{verdict(value)}</p>
      <DeletionNote deletion={value.deletion} />
      <AtRisk answer={value} />
      <div class="grid grid-2">
        <Places answer={value} />
        <Found answer={value} />
      </div>
      <Projects answer={value} />
      <Complaints answer={value} />
    </div>
  );
}

/** Where the archive is, and a button to keep now. */
function Keep() {
  const { value } = useAnswer<About>("/api/about");
  if (!value) return null;
  if (value.archive === null) return <p class="soft small">No archive is in use.</p>;
  return (
    <div class="badges">
      <span class="soft small">
        Archived in <code>{value.archive}</code>
      </span>
      <Confirm<Awaited<ReturnType<Library["keep"]>>>
        label="Archive everything now"
        about="Copies all session files into the archive, where agents cannot delete them."
        path="/api/keep"
        tell={({ archive }) => `Everything is archived in ${archive}.`}
      />
    </div>
  );
}

function verdict({ coverage }: DoctorAnswer): string {
  const read = `${exact(coverage.read)} of ${counted(coverage.files, "file")} read`;
  const damaged = coverage.damaged === 0 ? "" : `, ${exact(coverage.damaged)} damaged`;
  return `${read}${damaged}.`;
}

const RISK_PAGE = 25;

/** Sessions that are not kept come first; the others are folded. Both are paged. */
function AtRisk({ answer: { atRisk } }: { answer: DoctorAnswer }) {
  const lost = atRisk.filter(({ isKept }) => !isKept);
  const kept = atRisk.filter(({ isKept }) => isKept);
  return (
    <>
      {lost.length > 0 && (
        <section class="card">
          <div class="card-head">
            <h2>Will be deleted, not archived: {exact(lost.length)}</h2>
          </div>
          <RiskTable sessions={lost} />
        </section>
      )}
      {kept.length > 0 && (
        <details class="fold">
          <summary>Will be deleted, archived: {exact(kept.length)}</summary>
          <RiskTable sessions={kept} />
        </details>
      )}
    </>
  );
}

function RiskTable({ sessions }: { sessions: DoctorAnswer["atRisk"] }) {
  const [shown, setShown] = useState(RISK_PAGE);
  return (
    <>
      <div class="table-wrap" tabIndex={0}>
        <table class="stacks">
          <thead>
            <tr>
              <th scope="col">Session</th>
              <th scope="col">Project</th>
              <th scope="col">Active</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {sessions.slice(0, shown).map((item) => (
              <tr key={`${item.source} ${item.sessionId}`}>
                <td>
                  <a href={sessionHref({ ...item, id: item.sessionId })} dir="auto">
                    {safeText(item.title ?? item.sessionId)}
                  </a>
                </td>
                <td>{safeText(item.project)}</td>
                <td>{when(item.updatedAt)}</td>
                <td>{riskText(item)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown < sessions.length && (
        <button class="button" type="button" onClick={() => setShown(shown + RISK_PAGE * 4)}>
          Show more of {exact(sessions.length)}
        </button>
      )}
    </>
  );
}

function riskText({ why, daysLeft }: DoctorAnswer["atRisk"][number]): string {
  if (why === "resume-stub") return "at the next start: it was resumed and has a stub file";
  if (why === "count") return "at the next start: over the session limit";
  if (daysLeft === null) return "soon";
  return daysLeft <= 0 ? "at the next start" : `in ${counted(daysLeft, "day")}`;
}

function Places({ answer: { roots } }: { answer: DoctorAnswer }) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>Places</h2>
      </div>
      <ul class="stack">
        {roots.map(({ path, because, isFound, files, retention }) => (
          <li key={path}>
            <code>{path}</code>
            <div class="soft small">
              {because} · {isFound ? counted(files, "file") : "not there"}
            </div>
            <div class="soft small">
              {ruleOf(retention)} ({retention.from})
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Retention = DoctorAnswer["roots"][number]["retention"];

function ruleOf({ isEnabled, isSubagentsOnly, maxAgeDays }: Retention): string {
  if (!isEnabled) return "The agent deletes no sessions";
  const what = isSubagentsOnly ? "Subagent sessions are deleted" : "Sessions are deleted";
  return maxAgeDays === undefined ? what : `${what} after ${counted(maxAgeDays, "day")}`;
}

function Found({ answer }: { answer: DoctorAnswer }) {
  const { agents, sessions, files, formats } = answer;
  const lines = [
    ["Sessions", `${exact(sessions.main)}, and ${counted(sessions.subagent, "subagent")}`],
    ["Saved chats", exact(sessions.savedChats)],
    ["Only prompts left", exact(sessions.promptLogsOnly)],
    ["Files", exact(files.total)],
    ["Copies", exact(files.copies)],
    ["Stubs", exact(files.stubs)],
    ["Set aside", exact(files.setAside)],
    ["Empty files", exact(files.empty)],
    ["File formats", counts(formats)],
    ...agents.map(({ name, generations }) => [`Versions of ${name}`, counts(generations)]),
  ].filter(([, value]) => value !== "0" && value !== "");
  return (
    <section class="card">
      <div class="card-head">
        <h2>Found</h2>
      </div>
      <table>
        <tbody>
          {lines.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function counts(many: readonly { name: string; count: number }[]): string {
  return many.map(({ name, count }) => `${name} (${exact(count)})`).join(", ");
}

function Projects({ answer: { projects } }: { answer: DoctorAnswer }) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>Projects</h2>
        <span class="soft small">
          {exact(projects.named)} of {exact(projects.total)} with a known path
        </span>
      </div>
      <div class="table-wrap" tabIndex={0}>
        <table class="fits">
          <thead>
            <tr>
              <th scope="col">Project</th>
              <th scope="col">Path</th>
              <th scope="col" class="wide-only">
                Known by
              </th>
              <th scope="col" class="number">
                Sessions
              </th>
            </tr>
          </thead>
          <tbody>
            {projects.list.slice(0, 200).map(({ name, path, hash, knownBy, sessions }) => (
              <tr key={path ?? hash ?? name}>
                <td>
                  <a href={`/sessions?project=${encodeURIComponent(path ?? hash ?? name)}`}>
                    {name}
                  </a>
                </td>
                <td class="mono">{path ?? hash ?? "–"}</td>
                <td class="wide-only">{knownBy}</td>
                <td class="number">{exact(sessions)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const TONES = { damage: "bad", repair: "warn", notice: "" } as const;

function Complaints({ answer: { coverage } }: { answer: DoctorAnswer }) {
  const { diagnostics } = coverage;
  return (
    <section class="card">
      <div class="card-head">
        <h2>Problems found while reading</h2>
        <span class="soft small">{exact(diagnostics.length)}</span>
      </div>
      {diagnostics.length === 0 && <p class="blank">Everything was read.</p>}
      <ul>
        {diagnostics.slice(0, 300).map(({ code, severity, message, file, line }, at) => (
          <li key={at} class="found">
            <span class={`badge ${TONES[severity]}`}>{code}</span> {message}
            <div class="soft mono">
              {file}
              {line === undefined ? "" : `:${line}`}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
