import { useRef } from "preact/hooks";
import type { UsageReport, UsageRow } from "../../src/index.ts";
import { address, hrefOf, hrefWith } from "../address.ts";
import { useAnswer } from "../ask.ts";
import type { Column, Series } from "../charts/stacked-bars.tsx";
import { Legend, StackedBars } from "../charts/stacked-bars.tsx";
import { colourOf, REST_COLOUR } from "../colours.ts";
import { brief, money, periodName, shortPeriod, timezone } from "../figures.ts";
import { Choice } from "../parts/choice.tsx";
import { Pending, Skeleton } from "../parts/states.tsx";
import { addDays, dayOf, daysBetween } from "../period.ts";
import type { View } from "../period.ts";

const MEASURES = { cost: "Cost", tokens: "Tokens" } as const;
const STEPS = { day: "Day", week: "Week", month: "Month" } as const;
const STACKS = { model: "Model", project: "Project", agent: "Agent" } as const;

/** The largest series have their own colour; the rest share the last. */
const MOST_SERIES = 8;
const REST = "…";
const CHART_HEIGHT = 266;

function chosen<T extends string>(name: string, options: readonly T[], usual: T): T {
  return options.find((item) => item === address.value.query.get(name)) ?? usual;
}

function keysOf<T extends object>(labels: T): (keyof T & string)[] {
  return Object.keys(labels) as (keyof T & string)[];
}

/** Cost or tokens over time, stacked by model, project or agent. */
export function OverTime({ view, now }: { view: View; now: Date }) {
  const measure = chosen("measure", keysOf(MEASURES), "cost");
  const step = chosen("step", keysOf(STEPS), usualStep(view, now));
  const stack = chosen("stack", keysOf(STACKS), "model");
  const by = `${step},${stack}`;
  const answer = useAnswer<UsageReport>(hrefOf("/api/usage", { ...view, by, timezone }));
  const drawn = useRef<Drawing | undefined>(undefined);
  // Keep the last drawing until the next answer arrives.
  if (answer.value?.by === by && !answer.isWaiting) {
    drawn.current = drawingOf(answer.value.rows, { measure, step, stack, view, now });
  }
  return (
    <section class="card">
      <div class="card-head">
        <h2>{MEASURES[measure]} over time</h2>
        <div class="badges">
          <Choice
            label="Measure"
            name="measure"
            options={keysOf(MEASURES)}
            labels={MEASURES}
            chosen={measure}
          />
          <Choice label="Step" name="step" options={keysOf(STEPS)} labels={STEPS} chosen={step} />
          <Choice
            label="Stacked by"
            name="stack"
            options={keysOf(STACKS)}
            labels={STACKS}
            chosen={stack}
          />
        </div>
      </div>
      {drawn.current ? (
        <Pending isWaiting={answer.isWaiting}>
          <Chart drawing={drawn.current} />
        </Pending>
      ) : (
        <Skeleton height={CHART_HEIGHT} />
      )}
    </section>
  );
}

interface Drawing {
  title: string;
  columns: Column[];
  series: Series[];
  format: (value: number | null) => string;
}

function Chart({ drawing }: { drawing: Drawing }) {
  const isEmpty = drawing.columns.every(({ total }) => total === 0);
  if (isEmpty) return <p class="blank">Nothing in this period.</p>;
  return (
    <>
      <StackedBars {...drawing} />
      <Legend series={drawing.series} />
    </>
  );
}

function usualStep({ since }: View, now: Date): keyof typeof STEPS {
  if (since === undefined) return "month";
  return since < addDays(dayOf(now), -100) ? "week" : "day";
}

interface Drawn {
  measure: keyof typeof MEASURES;
  step: keyof typeof STEPS;
  stack: keyof typeof STACKS;
  view: View;
  now: Date;
}

function drawingOf(rows: readonly UsageRow[], drawn: Drawn): Drawing {
  const { measure, step, stack } = drawn;
  const valueOf = (row: UsageRow): number | null => {
    return measure === "cost" ? row.costMicroUsd : row.tokens.total;
  };
  const sorted = seriesOf(rows, (row) => valueOf(row) ?? 0);
  const names = [...sorted.keys()];
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const columns = placesOf(rows, drawn).map((key): Column => {
    const row = byKey.get(key);
    const parts = names.map(() => 0);
    for (const child of row?.rows ?? []) {
      const at = names.includes(child.key) ? names.indexOf(child.key) : names.length - 1;
      parts[at] = (parts[at] ?? 0) + (valueOf(child) ?? 0);
    }
    return {
      key,
      label: periodName(key),
      shortLabel: shortPeriod(key),
      href: narrowed(key),
      total: row ? valueOf(row) : 0,
      parts,
    };
  });
  return {
    title: `${MEASURES[measure]} by ${step}, stacked by ${stack}`,
    columns,
    series: [...sorted].map(([key, name]) => {
      return { name, colour: key === REST ? REST_COLOUR : colourOf(stack, key) };
    }),
    format: measure === "cost" ? money : (count) => (count === null ? "–" : brief(count)),
  };
}

/** Names of the series by key, largest first; `…` is the rest. */
function seriesOf(
  rows: readonly UsageRow[],
  valueOf: (row: UsageRow) => number,
): Map<string, string> {
  const sums = new Map<string, { label: string; sum: number }>();
  for (const child of rows.flatMap((row) => row.rows ?? [])) {
    const known = sums.get(child.key) ?? { label: child.label ?? child.key, sum: 0 };
    sums.set(child.key, { ...known, sum: known.sum + valueOf(child) });
  }
  const sorted = [...sums].toSorted(([, a], [, b]) => b.sum - a.sum);
  const shown = sorted.slice(0, MOST_SERIES).map(([key, { label }]) => [key, label] as const);
  return new Map(sorted.length > MOST_SERIES ? [...shown, [REST, "others"]] : shown);
}

/** Days without usage are included; weeks and months are not filled up. */
function placesOf(rows: readonly UsageRow[], { step, view, now }: Drawn): string[] {
  const keys = rows.map(({ key }) => key).filter((key) => key !== "unknown");
  if (step !== "day") return keys;
  const first = view.since ?? keys[0];
  const last = view.until ?? dayOf(now);
  return first === undefined ? [] : daysBetween(first, last).slice(-400);
}

/** A column links to a smaller step, and from a day to its sessions. */
function narrowed(key: string): string {
  const { query } = address.value;
  if (/^\d{4}-\d\d-\d\d$/.test(key)) {
    const kept = {
      project: query.get("project"),
      model: query.get("model"),
      agent: query.get("agent"),
    };
    return hrefOf("/sessions", { ...kept, since: key, until: key });
  }
  const [since, until] = key.includes("W") ? weekDays(key) : monthDays(key);
  return hrefWith({ period: undefined, since, until, step: "day" });
}

function monthDays(key: string): [string, string] {
  const next = new Date(Date.UTC(Number(key.slice(0, 4)), Number(key.slice(5)), 1));
  return [`${key}-01`, addDays(next.toISOString().slice(0, 10), -1)];
}

function weekDays(key: string): [string, string] {
  const [year = "", week = ""] = key.split("-W");
  const fourth = `${year}-01-04`;
  const weekday = (new Date(`${fourth}T12:00:00Z`).getUTCDay() + 6) % 7;
  const monday = addDays(fourth, (Number(week) - 1) * 7 - weekday);
  return [monday, addDays(monday, 6)];
}
