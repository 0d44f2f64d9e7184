import type { ComponentChildren } from "preact";
import { Pending, Skeleton } from "./states.tsx";

export interface Rank {
  key: string;
  name: string;
  href?: string;
  /** Length of the bar, from 0 to 1. */
  share: number;
  value: string;
  more?: string;
  title?: string;
  /** Index of its colour, if it has one. */
  colour?: number;
}

/** A short list, largest first. */
export function Ranks({ title, ranks, note, isWaiting }: RanksProps) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>{title}</h2>
        {note}
      </div>
      {ranks === undefined ? (
        <Skeleton />
      ) : (
        <Pending isWaiting={isWaiting}>
          <RankList ranks={ranks} />
        </Pending>
      )}
    </section>
  );
}

function RankList({ ranks }: { ranks: readonly Rank[] }) {
  if (ranks.length === 0) return <p class="blank">Nothing in this period.</p>;
  return (
    <ol class="ranks">
      {ranks.map((rank) => (
        <li key={rank.key}>
          <RankLine {...rank} />
          <span
            class={`bar s${rank.colour ?? 1}`}
            style={{ width: `${Math.max(rank.share * 100, 0.5)}%` }}
          />
        </li>
      ))}
    </ol>
  );
}

export interface RanksProps {
  title: string;
  /** Undefined while loading. */
  ranks: readonly Rank[] | undefined;
  isWaiting: boolean;
  note?: ComponentChildren;
}

function RankLine({ name, href, value, more = "", title }: Rank) {
  const inside = (
    <>
      <span class="name">{name}</span>
      <span class="soft number">{more}</span>
      <span class="number">{value}</span>
    </>
  );
  if (href === undefined) return <span class="rank">{inside}</span>;
  return (
    <a href={href} title={title}>
      {inside}
    </a>
  );
}
