import { useRef, useState } from "preact/hooks";
import { brief, money, timeOfDay } from "../figures.ts";
import { niceTop, useWidth } from "./stacked-bars.tsx";

/** One paid reply; points are in chronological order. */
export interface TimePoint {
  href: string;
  at: string | null;
  contextTokens: number;
  costMicroUsd: number | null;
  isCompressed: boolean;
  prompts: number;
  errors: number;
}

const CONTEXT_PX = 64;
const COST_PX = 44;
/** Above each chart, for its name. */
const NAME_PX = 20;
/** A row of marks: prompts, or errors. */
const MARKS_PX = 14;
const TIMES_PX = 18;
const LEFT_PX = 44;
const MOST_COLUMNS = 60;

/** Context size and cost of replies over the session, with prompts and errors below. */
export function TimeLine({ points }: { points: readonly TimePoint[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const columns = gathered(points);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const step = (width - LEFT_PX) / Math.max(columns.length, 1);
  const layout = layoutOf(columns);
  const { context, cost, height } = layout;
  const active = chosen === undefined ? undefined : columns[chosen];
  return (
    <div class="chart time-line" ref={frame} onMouseLeave={() => setChosen(undefined)}>
      <svg height={height} role="group" aria-label="Context and cost over the session">
        <Axis name="context, in tokens" scale={context} width={width} format={brief} />
        {cost && <Axis name="cost" scale={cost} width={width} format={money} />}
        <path
          class="edge"
          d={pathOf(
            columns.map(({ contextTokens }) => contextTokens),
            context,
            step,
          )}
        />
        {columns.map((column, at) => (
          <Reply
            key={at}
            point={column}
            box={{ x: LEFT_PX + at * step, width: step }}
            layout={layout}
            choose={() => setChosen(at)}
          />
        ))}
        <text class="axis" x={LEFT_PX} y={height - 2}>
          {timeOfDay(columns[0]?.at ?? null)}
        </text>
        <text class="axis" x={width} y={height - 2} text-anchor="end">
          {timeOfDay(columns.at(-1)?.at ?? null)}
        </text>
      </svg>
      <p class="small soft time-value">{active ? nameOf(active) : legendOf(points)}</p>
    </div>
  );
}

interface Layout {
  context: Scale;
  /** Undefined if no price is known. */
  cost: Scale | undefined;
  promptsPx: number;
  errorsPx: number;
  height: number;
}

function layoutOf(columns: readonly TimePoint[]): Layout {
  const context = scaleOf(
    columns.map(({ contextTokens }) => contextTokens),
    { top: NAME_PX, height: CONTEXT_PX },
  );
  const costs = columns.flatMap(({ costMicroUsd }) => costMicroUsd ?? []);
  const under = context.top + CONTEXT_PX;
  const cost =
    costs.length === 0 ? undefined : scaleOf(costs, { top: under + NAME_PX + 6, height: COST_PX });
  const promptsPx = (cost ? cost.top + COST_PX : under) + MARKS_PX;
  const errorsPx = promptsPx + (columns.some(({ errors }) => errors > 0) ? MARKS_PX : 0);
  return { context, cost, promptsPx, errorsPx, height: errorsPx + TIMES_PX };
}

interface ReplyProps {
  point: TimePoint;
  box: { x: number; width: number };
  layout: Layout;
  choose: () => void;
}

function Reply({ point, box, layout, choose }: ReplyProps) {
  const { x, width } = box;
  const { context, cost } = layout;
  const top = cost?.placeOf(point.costMicroUsd ?? 0) ?? 0;
  const middle = x + width / 2;
  return (
    <a
      class="column"
      href={point.href}
      aria-label={nameOf(point)}
      onMouseEnter={choose}
      onFocus={choose}
    >
      <rect class="hit" x={x} y={0} width={width} height={layout.height - TIMES_PX + 2} />
      {point.isCompressed && (
        <line class="compressed" x1={x} x2={x} y1={context.top} y2={context.top + context.height} />
      )}
      {cost && (
        <rect
          class="s1"
          x={x + width * 0.15}
          y={top}
          width={Math.max(width * 0.7, 1)}
          height={cost.top + cost.height - top}
        />
      )}
      {point.prompts > 0 && <circle class="prompt-dot" cx={middle} cy={layout.promptsPx} r={3} />}
      {point.errors > 0 && (
        <text class="error-mark" x={middle} y={layout.errorsPx + 4}>
          ×
        </text>
      )}
    </a>
  );
}

function legendOf(points: readonly TimePoint[]): string {
  const replies = points.length === 1 ? "1 reply" : `${points.length} replies`;
  const hasErrors = points.some(({ errors }) => errors > 0);
  const hasCompressed = points.some(({ isCompressed }) => isCompressed);
  const marks = ["● prompt", hasErrors ? "× error" : "", hasCompressed ? "┆ compressed" : ""];
  return [replies, ...marks.filter((mark) => mark !== "")].join(" · ");
}

function nameOf({ at, contextTokens, costMicroUsd, prompts, errors }: TimePoint): string {
  const parts = [
    timeOfDay(at),
    `context ${brief(contextTokens)}`,
    costMicroUsd === null ? "no price known" : money(costMicroUsd),
    prompts > 0 ? "prompt" : "",
    errors > 0 ? "error" : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

interface Scale {
  top: number;
  height: number;
  most: number;
  placeOf: (value: number) => number;
}

function scaleOf(values: readonly number[], { top, height }: Pick<Scale, "top" | "height">): Scale {
  const most = niceTop(Math.max(...values, 0));
  const placeOf = (value: number): number =>
    top + height - (most === 0 ? 0 : (value / most) * height);
  return { top, height, most, placeOf };
}

interface AxisProps {
  name: string;
  scale: Scale;
  width: number;
  format: (value: number) => string;
}

function Axis({ name, scale, width, format }: AxisProps) {
  return (
    <>
      <text class="axis" x={LEFT_PX} y={scale.top - 6}>
        {name}
      </text>
      {[0, scale.most].map((value) => (
        <g key={value}>
          <line
            class="rule"
            x1={LEFT_PX}
            x2={width}
            y1={scale.placeOf(value)}
            y2={scale.placeOf(value)}
          />
          <text class="axis" x={LEFT_PX - 6} y={scale.placeOf(value) + 4} text-anchor="end">
            {value === 0 ? "0" : format(value)}
          </text>
        </g>
      ))}
    </>
  );
}

function pathOf(values: readonly number[], scale: Scale, step: number): string {
  const places = values.map((value, at) => {
    return `${(LEFT_PX + (at + 0.5) * step).toFixed(1)},${scale.placeOf(value).toFixed(1)}`;
  });
  return places.length === 0 ? "" : `M${places.join("L")}`;
}

/** A long session has more replies than fit, so neighbours are merged into one column. */
function gathered(points: readonly TimePoint[]): TimePoint[] {
  const size = Math.ceil(points.length / MOST_COLUMNS);
  if (size <= 1) return [...points];
  const columns: TimePoint[] = [];
  for (let from = 0; from < points.length; from += size) {
    const group = points.slice(from, from + size);
    const [first] = group;
    if (!first) continue;
    const known = group.flatMap(({ costMicroUsd }) => costMicroUsd ?? []);
    columns.push({
      ...first,
      contextTokens: Math.max(...group.map(({ contextTokens }) => contextTokens)),
      costMicroUsd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
      isCompressed: group.some(({ isCompressed }) => isCompressed),
      prompts: group.reduce((sum, { prompts }) => sum + prompts, 0),
      errors: group.reduce((sum, { errors }) => sum + errors, 0),
    });
  }
  return columns;
}
