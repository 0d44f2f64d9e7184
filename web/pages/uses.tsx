import type { SessionSummary } from "../../src/index.ts";
import { address, hrefOf, hrefWith, messageHref } from "../address.ts";
import type { Uses as UsesAnswer } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { counted, exact, timezone } from "../figures.ts";
import { Chip } from "../parts/chips.tsx";
import { Choice } from "../parts/choice.tsx";
import { Found } from "../parts/found.tsx";
import { LineCounts } from "../parts/line-counts.tsx";
import { Failed, Pending, Waiting } from "../parts/states.tsx";
import { safeText } from "../safe-text.ts";
import { inFolder } from "../transcript/naming.ts";
import { FileBlame } from "./blame.tsx";

/** The possible filters; the first that is set names the page. */
const ASKED = ["path", "tool", "command", "server", "outcome"] as const;
const TITLES = {
  path: "",
  tool: "Tool ",
  command: "Command ",
  server: "MCP server ",
  outcome: "Calls with the outcome ",
} as const;
const NARROWING = ["agent", "project", "model", "since", "until"] as const;
const VIEWS = ["history", "blame"] as const;
const PAGE = 20;

/** Where a file, tool, command or server was used, and the prompts that led to it. */
export default function Uses() {
  const { query } = address.value;
  const given = ASKED.flatMap((name) => {
    const value = query.get(name);
    return value ? [{ name, value }] : [];
  });
  const [main] = given;
  const path = query.get("path");
  const isBlame = path !== null && query.get("view") === "blame";
  return (
    <>
      <div class="page-head">
        <h1>
          {main ? TITLES[main.name] : "Uses"}
          {main && <span class="path">{safeText(main.value)}</span>}
        </h1>
        {path !== null && (
          <Choice
            label="View"
            name="view"
            options={VIEWS}
            labels={{ history: "History", blame: "Blame" }}
            chosen={isBlame ? "blame" : "history"}
          />
        )}
      </div>
      {!isBlame && (
        <div class="filters" role="group" aria-label="Filters">
          <Chip name="path" label="Path" />
          <Chip name="tool" label="Tool" />
          <Chip name="command" label="Command" />
          <Chip name="server" label="MCP server" />
          <Chip
            name="outcome"
            label="Outcome"
            options={["success", "error", "cancelled"].map((value) => ({ value, label: value }))}
          />
          {NARROWING.filter((name) => query.get(name)).map((name) => (
            <Chip key={name} name={name} label={name} />
          ))}
        </div>
      )}
      {given.length === 0 && (
        <p class="blank">
          Enter a file, tool, command or MCP server to see which sessions used it, and why.
        </p>
      )}
      {isBlame ? <FileBlame path={path} /> : given.length > 0 && <History />}
    </>
  );
}

function History() {
  const { query } = address.value;
  const names = [...ASKED, ...NARROWING, "offset"];
  const asked = Object.fromEntries(names.map((name) => [name, query.get(name)]));
  const request = hrefOf("/api/uses", { ...asked, limit: String(PAGE), timezone });
  const { value, error, isWaiting } = useAnswer<UsesAnswer>(request);
  if (error && !value) return <Failed error={error} />;
  if (!value) return <Waiting />;
  const from = Number(query.get("offset") ?? 0);
  return (
    <Pending isWaiting={isWaiting}>
      <p class="soft" role="status">
        {value.total === 0
          ? "No recorded call uses it."
          : `In ${counted(value.total, "session")}, the newest first.`}
      </p>
      {value.paths.length > 1 && (
        <p class="small soft">
          Matches {exact(value.paths.length)} files:{" "}
          {value.paths.slice(0, 8).map((path) => (
            <a key={path} class="mono" href={hrefOf("/uses", { path })}>
              {safeText(path)}{" "}
            </a>
          ))}
        </p>
      )}
      {value.sessions.map((item) => (
        <Found key={item.session.id} session={item.session}>
          {item.uses.map((use) => (
            <UseLine key={`${use.messageId} ${use.callId}`} use={use} session={item.session} />
          ))}
        </Found>
      ))}
      <nav class="toolbar" aria-label="More">
        {from > 0 && (
          <a class="button" href={hrefWith({ offset: String(Math.max(0, from - PAGE)) })}>
            Newer
          </a>
        )}
        {from + PAGE < value.total && (
          <a class="button" href={hrefWith({ offset: String(from + PAGE) })}>
            Older
          </a>
        )}
      </nav>
    </Pending>
  );
}

type Use = UsesAnswer["sessions"][number]["uses"][number];

function UseLine({ use, session }: { use: Use; session: SessionSummary }) {
  const { messageId, label, outcome, prompt, files, shellLine, error, standing } = use;
  return (
    <a
      class="hit use"
      href={messageHref({ source: session.source, sessionId: session.id, messageId })}
      dir="auto"
    >
      <span class="use-what">
        <strong>{label}</strong>{" "}
        <span class="mono">
          {safeText(
            shellLine ?? files.map(({ path }) => inFolder(path, session.project.path)).join(", "),
          )}
        </span>{" "}
        {files.map((file) => (
          <LineCounts key={file.path} {...file} />
        ))}{" "}
        {standing !== "live" && <span class="badge warn">taken back</span>}{" "}
        {outcome !== "success" && (
          <span class={`badge ${outcome === "error" ? "bad" : ""}`}>{outcome ?? "no result"}</span>
        )}
      </span>
      {error !== null && <span class="use-error mono small">{safeText(error)}</span>}
      {prompt && <span class="soft small use-prompt">{safeText(prompt.text)}</span>}
    </a>
  );
}
