import type { HLJSApi, LanguageFn } from "highlight.js";

/** Highlights code at export time, so that the page needs no script. */
export type Highlight = (code: string, language: string) => string;

/** Highlighting longer texts costs more than it helps. */
const LONGEST = 50_000;

let loaded: Promise<Highlight> | undefined;

/** Loaded once, on first use. */
export async function loadHighlight(): Promise<Highlight> {
  return (loaded ??= load());
}

async function load(): Promise<Highlight> {
  const { default: hljs } = await import("highlight.js/lib/core");
  for (const [name, fetch] of Object.entries(LANGUAGES)) {
    hljs.registerLanguage(name, (await fetch()).default);
  }
  return (code, language) => colour(hljs, code, language);
}

function colour(hljs: HLJSApi, code: string, language: string): string {
  const name = language.toLowerCase();
  if (name === "" || code.length > LONGEST || !hljs.getLanguage(name)) return escapeHtml(code);
  return hljs.highlight(code, { language: name, ignoreIllegals: true }).value;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

type Load = () => Promise<{ default: LanguageFn }>;

const LANGUAGES: Readonly<Record<string, Load>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  go: () => import("highlight.js/lib/languages/go"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};
