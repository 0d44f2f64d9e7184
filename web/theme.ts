import { signal } from "@preact/signals";

/** Follows the system's theme, unless the user has chosen one. */
const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const PLACE = "pollux-theme";

export const theme = signal<Theme>(
  THEMES.find((item) => item === window.localStorage.getItem(PLACE)) ?? "auto",
);

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.value;
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto";
  window.localStorage.setItem(PLACE, theme.value);
  applyTheme();
}
