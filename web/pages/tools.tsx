import type { ToolsReport } from "../../src/index.ts";
import { address, hrefOf } from "../address.ts";
import type { About } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { duration, exact, share, timezone } from "../figures.ts";
import { PickAgent } from "../parts/agents.tsx";
import { PeriodChoice } from "../parts/period-choice.tsx";
import { Failed, Pending, Waiting } from "../parts/states.tsx";
import { spanOf } from "../period.ts";
import { safeText } from "../safe-text.ts";

const NONE = "–";

/** Tool usage. */
export default function Tools() {
  const { query } = address.value;
  const about = useAnswer<About>("/api/about");
  const span = spanOf(query, new Date(about.value?.now ?? 0), "all");
  const narrow = {
    agent: query.get("agent"),
    project: query.get("project"),
    model: query.get("model"),
  };
  const request = hrefOf("/api/tools", { ...span, ...narrow, timezone });
  const { value, error, isWaiting } = useAnswer<ToolsReport>(about.value ? request : undefined);
  if (error && !value) return <Failed error={error} isPage />;
  return (
    <>
      <div class="page-head">
        <h1>Tools</h1>
        <div class="filters">
          <PeriodChoice usual="all" />
          <PickAgent />
        </div>
      </div>
      {value ? (
        <Pending isWaiting={isWaiting}>
          <Report report={value} />
        </Pending>
      ) : (
        <Waiting />
      )}
    </>
  );
}

function Report({ report }: { report: ToolsReport }) {
  return (
    <div class="stack">
      <CallTable
        title="By tool"
        rows={report.labels.map((row) => ({
          ...row,
          uses: { tool: row.name },
          names: report.tools.filter(({ label }) => label === row.name).map(({ name }) => name),
        }))}
      />
      <div class="grid grid-2 uneven">
        <CallTable
          title="MCP servers"
          rows={report.mcp.map((row) => ({
            ...row,
            name: `${row.server} / ${row.tool}`,
            uses: { server: row.server },
          }))}
        />
        <CountTable
          title="Shell commands"
          head={["Command", "Calls"]}
          rows={report.shell.map(({ command, calls }) => {
            return { uses: { command }, cells: [command, exact(calls)] };
          })}
        />
      </div>
      <Files report={report} />
    </div>
  );
}

type CallRow = Pick<
  ToolsReport["tools"][number],
  "name" | "calls" | "error" | "cancelled" | "time"
> & {
  uses: Readonly<Record<string, string>>;
  /** The names that agents have for it. */
  names?: readonly string[];
};

function CallTable({ title, rows }: { title: string; rows: readonly CallRow[] }) {
  return (
    <CountTable
      title={title}
      head={["Name", "Calls", "Failed", "Cancelled", "Mean time"]}
      rows={rows.map(({ name, calls, error, cancelled, time, uses, names = [] }) => ({
        uses,
        names: names.length === 1 && names[0] === name ? [] : names,
        cells: [
          name,
          exact(calls),
          error > 0 ? `${exact(error)} (${share(error / calls)})` : NONE,
          cancelled > 0 ? exact(cancelled) : NONE,
          time ? duration(time.totalMs / time.calls) : NONE,
        ],
      }))}
    />
  );
}

interface CountTableProps {
  title: string;
  head: readonly [string, ...string[]];
  /** Query of the uses that the first cell links to, and all cells. */
  rows: readonly {
    uses: Readonly<Record<string, string>>;
    cells: readonly string[];
    names?: readonly string[];
  }[];
}

function CountTable({ title, head, rows }: CountTableProps) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>{title}</h2>
      </div>
      {rows.length === 0 ? (
        <p class="blank">None in this period.</p>
      ) : (
        <div class="table-wrap" tabIndex={0}>
          <table class={head.length > 2 ? "stacks" : "fits"}>
            <thead>
              <tr>
                {head.map((name, at) => (
                  <th key={name} scope="col" class={at > 0 ? "number" : ""}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, 100).map(({ uses, cells, names = [] }, row) => (
                <tr key={row}>
                  {cells.map((cell, at) => (
                    <td
                      key={at}
                      class={at === 0 ? "" : cell === NONE ? "number nil" : "number"}
                      data-name={at === 0 ? undefined : head[at]}
                    >
                      {at === 0 ? (
                        <>
                          <a href={hrefOf("/uses", { ...uses })}>
                            <code>{safeText(cell)}</code>
                          </a>
                          <OwnNames names={names} />
                        </>
                      ) : (
                        cell
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** What agents call the tool. */
function OwnNames({ names }: { names: readonly string[] }) {
  return (
    <span class="own-names soft small">
      {names.map((name, at) => (
        <span key={name}>
          {at > 0 && ", "}
          <a href={hrefOf("/uses", { tool: name })}>{safeText(name)}</a>
        </span>
      ))}
    </span>
  );
}

function Files({ report }: { report: ToolsReport }) {
  const count = (value: number | null): string => (value ? exact(value) : NONE);
  return (
    <CountTable
      title="Files"
      head={["File", "Read", "Written", "Edited", "Lines added", "Lines removed"]}
      rows={report.files.map((file) => ({
        uses: { path: file.path },
        cells: [
          file.path,
          count(file.reads),
          count(file.writes),
          count(file.edits),
          count(file.addedLines),
          count(file.removedLines),
        ],
      }))}
    />
  );
}
