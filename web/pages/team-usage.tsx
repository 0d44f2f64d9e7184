import type { TeamUsageReport, TeamUsageRow } from "../../src/index.ts";
import { address, hrefOf, hrefWith } from "../address.ts";
import { useAnswer } from "../ask.ts";
import { brief, exact, exactMoney, money, periodName, timezone } from "../figures.ts";
import { Chip } from "../parts/chips.tsx";
import { Choice } from "../parts/choice.tsx";
import { NumberHeads } from "../parts/number-heads.tsx";
import { Failed, Pending, Skeleton } from "../parts/states.tsx";
import type { Span } from "../period.ts";
import { safeText } from "../safe-text.ts";

const GROUPS = {
  team: "Team",
  person: "Person",
  project: "Project",
  agent: "Agent",
  model: "Model",
  month: "Month",
} as const;
type GroupName = keyof typeof GROUPS;
const NAMES = Object.keys(GROUPS) as GroupName[];
/** Filters of the team's usage. */
const NARROWING = ["team", "project", "agent", "model"] as const;

/** Usage of the teams; never of so few people that one could be identified. */
export function TeamUsage({ span }: { span: Span }) {
  const { query } = address.value;
  const by = NAMES.find((name) => name === query.get("by")) ?? "team";
  const narrow = Object.fromEntries(NARROWING.map((name) => [name, query.get(name)]));
  const request = hrefOf("/api/team/usage", { ...span, ...narrow, by, timezone });
  const { value, error, isWaiting } = useAnswer<TeamUsageReport>(request);
  if (error && !value) return <Failed error={error} />;
  return (
    <section class="card">
      <div class="card-head">
        <h2>Usage</h2>
        <div class="badges">
          {NARROWING.filter((name) => query.has(name)).map((name) => (
            <Chip key={name} name={name} label={GROUPS[name]} />
          ))}
          <Choice label="By" name="by" options={NAMES} labels={GROUPS} chosen={by} />
        </div>
      </div>
      {value ? (
        <Pending isWaiting={isWaiting}>
          <Rows report={value} by={value.by as GroupName} />
        </Pending>
      ) : (
        <Skeleton />
      )}
    </section>
  );
}

function Rows({ report, by }: { report: TeamUsageReport; by: GroupName }) {
  const { rows, totals, smallestGroup, isWithheld, period } = report;
  if (!totals && !isWithheld) return <p class="blank">Nothing in this period.</p>;
  const sorted =
    by === "month" ? rows : rows.toSorted((a, b) => (b.costMicroUsd ?? 0) - (a.costMicroUsd ?? 0));
  return (
    <>
      {rows.length > 0 && (
        <div class="table-wrap" tabIndex={0}>
          <table class="fits">
            <thead>
              <tr>
                <th scope="col">{GROUPS[by]}</th>
                <NumberHeads names={["People", "Requests", "Tokens", "Cost"]} />
              </tr>
            </thead>
            <tbody>
              {sorted.map((row) => (
                <Row key={`${row.isSmallGroups} ${row.groups[0]?.key}`} row={row} by={by} />
              ))}
            </tbody>
            {totals && (
              <tfoot>
                <tr>
                  <th scope="row">All</th>
                  <Cells row={totals} />
                </tr>
              </tfoot>
            )}
          </table>
        </div>
      )}
      <p class="soft small">
        {isWithheld &&
          `Withheld: the sums would reveal fewer than ${exact(smallestGroup)} people. `}
        {smallestGroup > 1 &&
          `Whole months of UTC, from ${period.since.slice(0, 10)} to before ${period.until.slice(0, 10)}. In each month, groups of fewer than ${exact(smallestGroup)} people, and groups that would reveal them, are combined.`}
      </p>
    </>
  );
}

function Row({ row, by }: { row: TeamUsageRow; by: GroupName }) {
  const [group] = row.groups;
  const key = group?.key ?? "";
  const isNarrowing = NARROWING.some((name) => name === by) && !row.isSmallGroups && key !== "";
  const name = row.isSmallGroups ? "small groups, combined" : nameOf(key, group?.label, by);
  return (
    <tr>
      <td>{isNarrowing ? <a href={hrefWith({ [by]: group?.label ?? key })}>{name}</a> : name}</td>
      <Cells row={row} />
    </tr>
  );
}

function nameOf(key: string, label: string | undefined, by: GroupName): string {
  if (key === "" && by === "team") return "without a team";
  return safeText(by === "month" ? periodName(key) : (label ?? key));
}

type Sums = Pick<TeamUsageRow, "people" | "requests" | "tokens" | "costMicroUsd">;

function Cells({ row }: { row: Sums }) {
  const { people, requests, tokens, costMicroUsd } = row;
  return (
    <>
      <td class="number">{exact(people)}</td>
      <td class="number">{exact(requests)}</td>
      <td class="number" title={exact(tokens.total)}>
        {brief(tokens.total)}
      </td>
      <td class="number" title={exactMoney(costMicroUsd)}>
        {money(costMicroUsd)}
      </td>
    </>
  );
}
