import { signal } from "@preact/signals";

/** Whether secrets are masked on the page; the default is masked. */
const PLACE = "pollux-masking";

export const masking = signal<"masked" | "plain">(
  window.localStorage.getItem(PLACE) === "plain" ? "plain" : "masked",
);

export function setMasking(value: "masked" | "plain"): void {
  window.localStorage.setItem(PLACE, value);
  masking.value = value;
}
