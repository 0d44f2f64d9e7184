import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { sharedIds } from "../address.ts";
import type { About } from "../answers.ts";
import { line, useAnswer } from "../ask.ts";
import { masking, setMasking } from "../masking.ts";
import { owner } from "../owner.ts";
import { nextTheme, theme } from "../theme.ts";
import { agents } from "./agents.tsx";
import { openPalette } from "./keys.tsx";
import { OwnerBanner, OwnerChoice } from "./owner-choice.tsx";

/** All pages of the menu. */
export const PAGES: readonly [href: string, label: string][] = [
  ["/", "Overview"],
  ["/sessions", "Sessions"],
  ["/search", "Search"],
  ["/insights", "Insights"],
  ["/tools", "Tools"],
  ["/doctor", "Doctor"],
];
/** Shown if a team shares the store. */
const TEAM_PAGE: (typeof PAGES)[number] = ["/team", "Team"];

const LINES = { open: "live", lost: "not connected", locked: "locked" };

/** The frame around every page. */
export function Frame({ path, children }: { path: string; children: ComponentChildren }) {
  const about = useAnswer<About>("/api/about").value;
  useEffect(() => {
    if (!about) return;
    sharedIds.value = new Set(about.sharedIds);
    agents.value = about.agents;
  }, [about]);
  // If an owner has opened nothing, the request fails; the way back is shown anyway.
  const isShared = owner.value !== "" || (about?.team ?? null) !== null;
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="top">
        <div class="top-inner">
          <a class="brand" href="/" aria-label="Pollux, overview">
            <Mark />
            <span aria-hidden="true">Pollux</span>
          </a>
          <Menu path={path} pages={isShared ? [...PAGES, TEAM_PAGE] : PAGES} />
          {isShared && <OwnerChoice />}
          <PaletteKey />
          <button
            class="button bare mask-switch"
            type="button"
            role="switch"
            aria-checked={masking.value === "masked"}
            title="Mask secrets on all pages"
            onClick={() => setMasking(masking.value === "masked" ? "plain" : "masked")}
          >
            {masking.value === "masked" ? "secrets masked" : "secrets shown"}
          </button>
          <div class="line-state" data-line={line.value} role="status">
            <span>{LINES[line.value]}</span>
          </div>
          <button class="button bare" type="button" onClick={nextTheme} title="Light or dark">
            <span class="hidden-label">Colours: </span>
            <span aria-hidden="true">◐ </span>
            {theme.value}
          </button>
        </div>
      </header>
      {line.value === "lost" && (
        <div class="banner" role="alert">
          Pollux does not answer. The page may be out of date; it updates when Pollux is back.
        </div>
      )}
      {isShared && <OwnerBanner />}
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function PaletteKey() {
  return (
    <button
      class="button bare palette-key"
      type="button"
      onClick={openPalette}
      title="Go to anything"
    >
      <span class="shown-label">Go to</span> <kbd>Ctrl K</kbd>
    </button>
  );
}

function Menu({ path, pages }: { path: string; pages: typeof PAGES }) {
  return (
    <nav class="nav" aria-label="Pages">
      {pages.map(([href, label]) => (
        <a key={href} href={href} aria-current={isHere(path, href) ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

function isHere(path: string, href: string): boolean {
  return href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
}

/** The logo: two stars, one brighter. */
function Mark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="8.5" cy="12" r="6" fill="var(--accent)" />
      <circle cx="18.5" cy="12" r="4" fill="var(--accent)" opacity="0.45" />
    </svg>
  );
}
