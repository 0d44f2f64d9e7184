import { useState } from "preact/hooks";
import { hrefOf } from "../address.ts";
import type { Budget as BudgetAnswer } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { counted, money, periodName, share, timezone } from "../figures.ts";
import { Pending, Skeleton } from "../parts/states.tsx";
import type { View } from "../period.ts";

const PLACE = "pollux-budget";

/** The monthly budget, the cost so far, and the forecast. */
export function Budget({ view: { since: _since, until: _until, ...narrow } }: { view: View }) {
  const [dollars, setDollars] = useState(window.localStorage.getItem(PLACE) ?? "");
  const request = hrefOf("/api/budget", { ...narrow, dollars, timezone });
  const { value, isWaiting } = useAnswer<BudgetAnswer>(dollars === "" ? undefined : request);
  const change = (text: string): void => {
    const number = Math.round(Number(text.replace("$", "")));
    const whole = number >= 1 && number < 1e7 ? String(number) : "";
    window.localStorage.setItem(PLACE, whole);
    setDollars(whole);
  };
  return (
    <section class="card budget" aria-label="Budget">
      <label>
        <span class="small soft">Monthly budget, in dollars</span>
        <input
          class="field"
          inputMode="numeric"
          placeholder="none"
          value={dollars}
          onChange={(event) => change(event.currentTarget.value.trim())}
        />
      </label>
      {dollars !== "" &&
        (value ? (
          <Pending isWaiting={isWaiting}>
            <Spent budget={value} />
          </Pending>
        ) : (
          <Skeleton lines={2} />
        ))}
    </section>
  );
}

const TONES = { unknown: "", within: "", "forecast-over": "warn", over: "bad" } as const;

function Spent({ budget }: { budget: BudgetAnswer }) {
  const { spentMicroUsd, budgetMicroUsd, forecastMicroUsd, spentShare, state, month } = budget;
  const part = (micro: number | null): string => {
    return `${Math.min(100, ((micro ?? 0) / budgetMicroUsd) * 100)}%`;
  };
  return (
    <div>
      <div class={`meter ${TONES[state]}`}>
        <span class="forecast" style={{ width: part(forecastMicroUsd) }} />
        <span class="spent" style={{ width: part(spentMicroUsd) }} />
      </div>
      <p class="small">
        {money(spentMicroUsd)} of {money(budgetMicroUsd)} in {periodName(month)} (
        {share(spentShare)}
        ), {counted(budget.daysPassed, "day")} of {budget.daysOfMonth} passed.{" "}
        {forecastMicroUsd !== null && (
          <strong>It comes to {money(forecastMicroUsd)} at the current pace.</strong>
        )}
        {budget.unpricedRequests > 0 &&
          ` ${counted(budget.unpricedRequests, "request")} without a price are not included.`}
      </p>
    </div>
  );
}
