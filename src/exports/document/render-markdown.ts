import type { Highlight } from "./highlight.ts";
import { escapeHtml } from "./highlight.ts";
import { isSafeTarget } from "./safe-markdown.ts";

export type RenderMarkdown = (text: string) => string;

/**
 * Renders Markdown as HTML. HTML inside it stays text, pictures become text (they would be
 * fetched), only web and mail addresses become links, and alignment is a class, because the page
 * allows no inline styles.
 */
export async function loadMarkdown(highlight: Highlight): Promise<RenderMarkdown> {
  const { default: MarkdownIt } = await import("markdown-it");
  const markdown = new MarkdownIt({
    html: false,
    linkify: false,
    typographer: false,
    highlight: (code, language) => highlight(code, language),
  });
  const check = markdown.validateLink.bind(markdown);
  markdown.validateLink = (url) => check(url) && isSafeTarget(url);
  const { rules } = markdown.renderer;
  rules["image"] = (tokens, at) => `<em>[image: ${escapeHtml(tokens[at]?.content ?? "")}]</em>`;
  rules["link_open"] = (tokens, at, options) => {
    tokens[at]?.attrSet("rel", "noopener noreferrer nofollow");
    return markdown.renderer.renderToken(tokens, at, options);
  };
  // Keep the headings of an answer below those of the page.
  for (const name of ["heading_open", "heading_close"]) {
    rules[name] = (tokens, at, options) => {
      const token = tokens[at];
      const level = Number(/^h(\d)$/.exec(token?.tag ?? "")?.[1] ?? 3);
      if (token) token.tag = `h${Math.min(6, level + 2)}`;
      return markdown.renderer.renderToken(tokens, at, options);
    };
  }
  for (const name of ["th_open", "td_open"]) {
    rules[name] = (tokens, at, options) => {
      const token = tokens[at];
      const side = /text-align:\s*(\w+)/.exec(String(token?.attrGet("style") ?? ""))?.[1];
      if (token) token.attrs = side === undefined ? null : [["class", `to-${side}`]];
      return markdown.renderer.renderToken(tokens, at, options);
    };
  }
  return (text) => markdown.render(text);
}
