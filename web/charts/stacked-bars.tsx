import { useEffect, useRef, useState } from "preact/hooks";

export interface Column {
  key: string;
  label: string;
  shortLabel: string;
  href: string;
  /** `null`: there was usage, but the amount is unknown. */
  total: number | null;
  /** One value per series, in the same order. */
  parts: readonly number[];
}

export interface Series {
  name: string;
  /** Index of its colour. */
  colour: number;
}

export interface StackedBarsProps {
  title: string;
  columns: readonly Column[];
  series: readonly Series[];
  format: (value: number | null) => string;
}

const HEIGHT = 220;
const BELOW = 22;
const LEFT = 56;
const WIDEST = 46;
/** The gap between columns, relative to their width. */
const GAP = 0.22;

/** Stacked columns over time. SVG, so that every column can be focused and read. */
export function StackedBars({ title, columns, series, format }: StackedBarsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const most = Math.max(...columns.map(({ total }) => total ?? 0), 0);
  const top = niceTop(most);
  const step = (width - LEFT) / Math.max(columns.length, 1);
  const scale = (value: number): number => (top === 0 ? 0 : (value / top) * HEIGHT);
  const every = Math.max(1, Math.ceil(64 / step));
  const active = chosen === undefined ? undefined : columns[chosen];
  return (
    <div class="chart" ref={frame} onMouseLeave={() => setChosen(undefined)}>
      <svg height={HEIGHT + BELOW} role="group" aria-label={title}>
        {(top === 0 ? [0] : [0, 0.25, 0.5, 0.75, 1]).map((part) => (
          <g key={part}>
            <line class="rule" x1={LEFT} x2={width} y1={lineAt(part)} y2={lineAt(part)} />
            <text class="axis" x={LEFT - 8} y={lineAt(part) + 4} text-anchor="end">
              {part === 0 ? "0" : format(top * part)}
            </text>
          </g>
        ))}
        {columns.map((column, at) => (
          <Bar
            key={column.key}
            column={column}
            series={series}
            box={{ x: LEFT + at * step, width: step }}
            scale={scale}
            label={at % every === 0 ? column.shortLabel : ""}
            name={`${column.label}: ${format(column.total)}`}
            choose={() => setChosen(at)}
          />
        ))}
      </svg>
      {active && chosen !== undefined && (
        <Tip
          column={active}
          series={series}
          format={format}
          left={Math.min(LEFT + chosen * step + step + 6, Math.max(width - 230, 0))}
        />
      )}
    </div>
  );
}

function lineAt(part: number): number {
  return HEIGHT - HEIGHT * part + 6;
}

interface BarProps {
  column: Column;
  series: readonly Series[];
  box: { x: number; width: number };
  scale: (value: number) => number;
  label: string;
  name: string;
  choose: () => void;
}

function Bar({ column, series, box, scale, label, name, choose }: BarProps) {
  const gap = Math.max(Math.min(box.width * GAP, 6), box.width - WIDEST);
  const bar = Math.max(box.width - gap, 1);
  let below = HEIGHT + 6;
  return (
    <a class="column" href={column.href} aria-label={name} onMouseEnter={choose} onFocus={choose}>
      <rect class="hit" x={box.x} y={0} width={box.width} height={HEIGHT + 6} />
      {column.total === null && (
        <rect class="unknown" x={box.x + gap / 2} y={below - 4} width={bar} height={4} />
      )}
      {column.parts.map((value, at) => {
        const height = scale(value);
        below -= height;
        return (
          <rect
            key={at}
            class={`s${series[at]?.colour ?? 0}`}
            x={box.x + gap / 2}
            y={below}
            width={bar}
            height={height}
            rx={height > 3 ? 1.5 : 0}
          />
        );
      })}
      {label !== "" && (
        <text class="axis" x={box.x + box.width / 2} y={HEIGHT + BELOW} text-anchor="middle">
          {label}
        </text>
      )}
    </a>
  );
}

interface TipProps {
  column: Column;
  series: readonly Series[];
  format: (value: number | null) => string;
  left: number;
}

function Tip({ column, series, format, left }: TipProps) {
  return (
    <div class="tip" style={{ left: `${left}px` }} aria-hidden="true">
      <strong>{column.label}</strong>
      <dl>
        {column.parts.map((value, at) =>
          value > 0 ? (
            <>
              <dt>
                <i class={`swatch s${series[at]?.colour ?? 0}`} />
                {series[at]?.name}
              </dt>
              <dd class="number">{format(value)}</dd>
            </>
          ) : null,
        )}
        <dt>Total</dt>
        <dd class="number">
          <strong>{format(column.total)}</strong>
        </dd>
      </dl>
    </div>
  );
}

export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul class="legend">
      {series.map(({ name, colour }) => (
        <li key={name}>
          <i class={`swatch s${colour}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** A round number at or above the largest value. */
export function niceTop(most: number): number {
  if (most <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 4, 5, 8, 10].find((item) => item * power >= most) ?? 10;
  return step * power;
}

export function useWidth(frame: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(800);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    // In a closed section the chart has no width; it is measured again when the section opens.
    const measure = (): void => setWidth((before) => element.clientWidth || before);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return width;
}
