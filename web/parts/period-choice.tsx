import { address, go, hrefWith } from "../address.ts";
import type { PeriodName } from "../period.ts";
import { isDay, PERIOD_LABELS, periodOf, PERIODS } from "../period.ts";
import { Choice } from "./choice.tsx";

/** The period of a page: a named one, or any first and last day. */
export function PeriodChoice({ usual }: { usual: PeriodName }) {
  const { query } = address.value;
  const isOwn = isDay(query.get("since") ?? "") || isDay(query.get("until") ?? "");
  return (
    <>
      <Choice
        label="Period"
        name="period"
        options={PERIODS}
        labels={PERIOD_LABELS}
        chosen={isOwn ? undefined : periodOf(query, usual)}
        clears={["since", "until"]}
      />
      <DayRange />
    </>
  );
}

export function DayRange() {
  return (
    <span class="days">
      <Day name="since" label="From" />
      <span class="soft" aria-hidden="true">
        –
      </span>
      <Day name="until" label="To" />
    </span>
  );
}

function Day({ name, label }: { name: "since" | "until"; label: string }) {
  return (
    <label>
      <span class="hidden-label">{label}</span>
      <input
        class="field day"
        type="date"
        value={address.value.query.get(name) ?? ""}
        onChange={(event) => {
          const day = event.currentTarget.value;
          if (day === "" || isDay(day)) go(hrefWith({ [name]: day, period: undefined }), "replace");
        }}
      />
    </label>
  );
}
