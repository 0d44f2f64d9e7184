import { addDays } from "../period.ts";
import { periodName } from "../figures.ts";

export interface HeatMapProps {
  title: string;
  /** The last day shown. */
  today: string;
  /** By day; `null` if there was usage, but its price is unknown. */
  values: ReadonlyMap<string, number | null>;
  format: (value: number | null) => string;
  hrefOf: (day: string) => string;
}

const WEEKS = 53;
const CELL = 13;
const SIZE = 10.5;
const LEFT = 30;
const TOP = 16;

const monthName = new Intl.DateTimeFormat(undefined, { month: "short" });
const weekdayName = new Intl.DateTimeFormat(undefined, { weekday: "short" });

/** A year: one square per day, one column per week. */
export function HeatMap({ title, today, values, format, hrefOf }: HeatMapProps) {
  const first = firstDay(today);
  const days = Array.from({ length: WEEKS * 7 }, (_, at) => addDays(first, at));
  const shown = days.filter((day) => day <= today);
  const edges = edgesOf(shown.flatMap((day) => values.get(day) ?? []));
  return (
    <>
      <div class="heat-wrap">
        <svg
          class="heat"
          viewBox={`0 0 ${LEFT + WEEKS * CELL} ${TOP + 7 * CELL}`}
          role="group"
          aria-label={title}
        >
          {[0, 2, 4].map((row) => (
            <text key={row} x={0} y={TOP + row * CELL + 9}>
              {weekdayName.format(new Date(`${addDays(first, row)}T12:00:00`))}
            </text>
          ))}
          {shown.map((day, at) => (
            <Day
              key={day}
              day={day}
              at={at}
              value={values.get(day)}
              level={levelOf(values.get(day), edges)}
              format={format}
              href={hrefOf(day)}
            />
          ))}
        </svg>
      </div>
      <Scale edges={edges} format={format} />
    </>
  );
}

/** The legend of the shades. */
function Scale({ edges, format }: { edges: readonly number[]; format: HeatMapProps["format"] }) {
  if (edges.length === 0) return null;
  return (
    <ul class="legend heat-scale">
      <li>
        <i class="swatch h0" /> nothing
      </li>
      {edges.map((edge, at) => (
        <li key={at}>
          <i class={`swatch h${at + 1}`} /> {at === 0 ? "up to" : "from"}{" "}
          {format(at === 0 ? (edges[1] ?? edge) : edge)}
        </li>
      ))}
    </ul>
  );
}

interface DayProps {
  day: string;
  at: number;
  value: number | null | undefined;
  level: string;
  format: HeatMapProps["format"];
  href: string;
}

function Day({ day, at, value, level, format, href }: DayProps) {
  const x = LEFT + Math.floor(at / 7) * CELL;
  const square = (
    <rect class={level} x={x} y={TOP + (at % 7) * CELL} width={SIZE} height={SIZE} rx={2.5} />
  );
  const isMonth = Number(day.slice(8)) <= 7 && at % 7 === 0;
  return (
    <>
      {isMonth && (
        <text x={x} y={10}>
          {monthName.format(new Date(`${day}T12:00:00`))}
        </text>
      )}
      {value === null || (value ?? 0) > 0 ? (
        <a href={href} aria-label={`${periodName(day)}: ${format(value ?? null)}`}>
          <title>{`${periodName(day)}: ${format(value ?? null)}`}</title>
          {square}
        </a>
      ) : (
        square
      )}
    </>
  );
}

/** The Monday of the first week shown. */
function firstDay(today: string): string {
  const weekday = (new Date(`${today}T12:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(today, -weekday - (WEEKS - 1) * 7);
}

/** Quartiles as thresholds of the shades, so that one large day does not make the others pale. */
function edgesOf(values: readonly number[]): number[] {
  const sorted = values.filter((value) => value > 0).toSorted((a, b) => a - b);
  const edges = [0, 0.25, 0.5, 0.75].map((part) => sorted[Math.floor(part * sorted.length)] ?? 0);
  return sorted.length === 0 ? [] : [...new Set(edges)];
}

function levelOf(value: number | null | undefined, edges: readonly number[]): string {
  if (value === null) return "unknown";
  return `h${edges.filter((edge) => (value ?? 0) >= edge && edge > 0).length}`;
}
