// Prints the notes of a release: its section of the changelog, and the commits since the last tag
// grouped by scope.
//
//   node scripts/release-notes.mjs v0.2.0
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [tag] = process.argv.slice(2);
if (!/^v\d+\.\d+\.\d+/.test(tag ?? "")) {
  console.error("Pass the tag of the release, such as v0.2.0.");
  process.exit(2);
}
const root = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
if (tag !== `v${version}`) {
  console.error(`The tag is ${tag}, but the version of the package is ${version}.`);
  process.exit(1);
}
console.log([sectionOf(version), "## Commits", ...commitsSince(lastTag())].join("\n\n"));

function sectionOf(name) {
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const sections = changelog.split(/^(?=## )/m);
  const found = sections.find((section) => section.startsWith(`## ${name}`));
  if (found) return found.trim();
  console.error(`The changelog has no section "## ${name}".`);
  return process.exit(1);
}

function git(...args) {
  return spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim();
}

function lastTag() {
  return git("describe", "--tags", "--abbrev=0", `${tag}^`);
}

function commitsSince(since) {
  const range = since === "" ? "HEAD" : `${since}..HEAD`;
  const subjects = git("log", "--no-merges", "--format=%s", range).split("\n").filter(Boolean);
  const scopes = new Map();
  for (const subject of subjects) {
    const scope = scopeOf(subject);
    scopes.set(scope, [...(scopes.get(scope) ?? []), subject]);
  }
  return [...scopes].map(([scope, list]) => {
    return `**${scope}**\n\n${list.map((line) => `- ${line}`).join("\n")}`;
  });
}

/** The first scope of `core, store: …`. */
function scopeOf(subject) {
  return /^([\w-]+)(?:, [\w-]+)*(?:\([^)]*\))?:/.exec(subject)?.[1] ?? "other";
}
