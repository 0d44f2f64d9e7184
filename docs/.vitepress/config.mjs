// Configuration of the documentation site: `npm run docs` builds it into docs/.vitepress/dist.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { anchorOf } from "./anchor.mjs";

const docs = join(import.meta.dirname, "..");

/** All pages of a folder, by their headings; new pages need no entry here. */
function pagesIn(folder) {
  const names = readdirSync(join(docs, folder)).filter((name) => name.endsWith(".md"));
  return names.toSorted().map((name) => {
    const text = readFileSync(join(docs, folder, name), "utf8");
    const heading = /^# (.*)$/m.exec(text)?.[1] ?? name;
    return {
      text: heading.replaceAll("`", ""),
      link: `/${folder}/${name.replace(/\.md$/, "")}`.replace("//", "/"),
    };
  });
}

const first = "/guide/getting-started";
const guide = pagesIn("guide").toSorted((a, b) => (b.link === first) - (a.link === first));

export default {
  title: "Pollux",
  base: process.env.DOCS_BASE ?? "/",
  description: "The memory of coding agents",
  cleanUrls: true,
  markdown: { anchor: { slugify: anchorOf } },
  // Links to other files of the repository are not pages of the site.
  ignoreDeadLinks: [/^(\.\.\/)+(?!docs)/, /^\.\/(\.\.\/)+/],
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Guide", link: first },
      { text: "Formats", link: "/formats/fields" },
      { text: "Decisions", link: pagesIn("decisions")[0].link },
    ],
    sidebar: [
      { text: "Guide", items: guide },
      { text: "Formats", items: pagesIn("formats"), collapsed: true },
      { text: "Background", items: pagesIn("").filter(({ link }) => link !== "/index") },
      { text: "Decisions", items: pagesIn("decisions"), collapsed: true },
    ],
  },
};
