import { address } from "../address.ts";
import type { PeriodName } from "../period.ts";
import { isDay, PERIOD_LABELS, periodOf, PERIODS } from "../period.ts";
import { Choice } from "./choice.tsx";

/** Which days a page is about; days of one's own are none of these. */
export function PeriodChoice({ usual }: { usual: PeriodName }) {
  const { query } = address.value;
  const isOwn = isDay(query.get("since") ?? "") || isDay(query.get("until") ?? "");
  return (
    <Choice
      label="Period"
      name="period"
      options={PERIODS}
      labels={PERIOD_LABELS}
      chosen={isOwn ? undefined : periodOf(query, usual)}
      clears={["since", "until"]}
    />
  );
}
