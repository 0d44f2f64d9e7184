import type { ComponentChildren } from "preact";

export interface Rank {
  key: string;
  name: string;
  href?: string;
  /** How long its bar is, from 0 to 1. */
  share: number;
  value: string;
  more?: string;
  title?: string;
}

/** A short list, the largest first. */
export function Ranks({ title, ranks, note }: RanksProps) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>{title}</h2>
        {note}
      </div>
      {ranks.length === 0 ? (
        <p class="blank">Nothing in this period.</p>
      ) : (
        <ol class="ranks">
          {ranks.map((rank) => (
            <li key={rank.key}>
              <RankLine {...rank} />
              <span class="bar" style={{ width: `${Math.max(rank.share * 100, 0.5)}%` }} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

export interface RanksProps {
  title: string;
  ranks: readonly Rank[];
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
