import DOMPurify from "dompurify";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import MarkdownIt from "markdown-it";
import { safeText } from "../safe-text.ts";

const LANGUAGES = {
  bash,
  c,
  cpp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Longer code is not highlighted: it would block the page. */
const MOST_COLOURED = 60_000;

const renderer = new MarkdownIt({ html: false, breaks: true, highlight });

// Nothing is loaded from elsewhere: images are shown as text.
renderer.renderer.rules["image"] = (tokens, at) => {
  const { content = "", attrs = [] } = tokens[at] ?? {};
  const source = attrs?.find(([name]) => name === "src")?.[1] ?? "";
  return renderer.utils.escapeHtml(`[image: ${content === "" ? source : content}]`);
};

// Alignment is a class, because inline styles are not allowed here.
for (const cell of ["td_open", "th_open"]) {
  renderer.renderer.rules[cell] = (tokens, at) => {
    const { tag = "td", attrs = [] } = tokens[at] ?? {};
    const isRight = attrs?.some(([, value]) => String(value).endsWith("right")) === true;
    return isRight ? `<${tag} class="number">` : `<${tag}>`;
  };
}

function highlight(code: string, language: string): string {
  const isKnown = language !== "" && hljs.getLanguage(language) !== undefined;
  if (!isKnown || code.length > MOST_COLOURED) return "";
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

const ALLOWED = {
  ALLOWED_TAGS: (
    "a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong table tbody td " +
    "th thead tr ul"
  ).split(" "),
  ALLOWED_ATTR: ["href", "class", "start"],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const;

/** Renders Markdown to nodes. Raw HTML stays text, and the rest is sanitised. */
export function renderMarkdown(text: string): DocumentFragment {
  const html = renderer.render(safeText(text));
  const fragment = DOMPurify.sanitize(html, {
    ...ALLOWED,
    ALLOWED_TAGS: [...ALLOWED.ALLOWED_TAGS],
    ALLOWED_ATTR: [...ALLOWED.ALLOWED_ATTR],
  });
  for (const link of fragment.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
    link.title = link.getAttribute("href") ?? "";
  }
  for (const block of fragment.querySelectorAll("pre")) block.append(copyButton());
  // Wide tables and code blocks scroll, also by keyboard.
  for (const wide of fragment.querySelectorAll("pre, table")) wide.setAttribute("tabindex", "0");
  return fragment;
}

function copyButton(): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-code button bare";
  button.textContent = "Copy";
  return button;
}
