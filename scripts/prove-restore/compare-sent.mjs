import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { play, polluxIn, toolWith } from "../prove/real-program.mjs";

export const QUESTION = "What did we talk about?";
/** What a list shows when it is there. */
export const SHOWN = /\bago\b|just now|\bNo (?:conversation|session)/;
const fixtures = join(import.meta.dirname, "../../test/fixtures");

/**
 * Restores the sessions of each tree into an empty home, and lets the program resume them there and
 * in the original one: it must list the same sessions and send the same history.
 *
 * What differs between agents: `home` (the name of its folder), `cases` (trees, and the version
 * that resumes their sessions: their own, or a newer one), `check` (the scenario that looks at the
 * list and resumes `CHECK_IDS`), `sentIn` (the histories that were sent), `namesIn` (the entries of
 * the list) and `wordsOf` (what is recorded of a history).
 */
export async function proveBySending(agent, parts, options) {
  return new Proof(agent, parts, options).run();
}

class Proof {
  #agent;
  #parts;
  #options;
  #tool;
  #proved = [];
  #failed = 0;

  constructor(agent, parts, options) {
    this.#agent = agent;
    this.#parts = { wordsOf: (history) => history, changeTool: () => {}, ...parts };
    this.#options = options;
  }

  run() {
    const { only, record } = this.#options;
    this.#tool = this.#toolWithCheck();
    for (const [tree, readBy] of this.#parts.cases) {
      if (tree.includes(only)) this.#prove(tree, readBy);
    }
    const file = join(fixtures, `restore-${this.#agent}.json`);
    if (record) writeFileSync(file, `${JSON.stringify(this.#proved, null, 2)}\n`);
    return { proved: this.#proved.length, failed: this.#failed };
  }

  /** The tool with one more scenario: look at the list of sessions, then resume each of them. */
  #toolWithCheck() {
    const { tool, work } = this.#options;
    const folder = toolWith(tool, join(work, "tool"), this.#parts.check);
    this.#parts.changeTool(folder);
    return folder;
  }

  #prove(tree, readBy) {
    const root = join(fixtures, "corpora", this.#agent, tree, this.#parts.home);
    const seed = join(this.#options.work, "seed");
    rmSync(seed, { recursive: true, force: true });
    mkdirSync(seed, { recursive: true });
    const restored = this.#restore(tree, root, seed);
    const ids = restored.map(({ resumedAs }) => resumedAs);
    const [before, after] = [root, seed].map((home) => this.#resume(home, readBy, ids));
    const isSeen = [before, after].every(({ list }) => SHOWN.test(list));
    const isListed = isSeen && isDeepStrictEqual(before.listed, after.listed);
    for (const [at, { id: sessionId }] of restored.entries()) {
      const [original, ours] = [before.sent[at], after.sent[at]];
      const isSame = original !== undefined && isDeepStrictEqual(original, ours);
      const { listed } = after;
      if (isSame && isListed) {
        this.#proved.push({ tree, readBy, sessionId, listed, sent: this.#parts.wordsOf(ours) });
      } else this.#failed += 1;
      const outcome = `${isSame ? "the same" : "DIFFERS"}, ${isListed ? "listed" : "NOT LISTED"}`;
      console.log(`${tree} by ${readBy}: ${sessionId} ${outcome}`);
      if (!isSame) console.log(differenceOf(original ?? [], ours ?? []));
      if (!isListed) console.log(before.list, after.list);
    }
  }

  #restore(tree, root, seed) {
    const listed = this.#pollux(["sessions", "--root", root, "--json", "--kind", "main"]);
    const sessions = listed.sessions.filter(({ status }) => status !== "empty");
    // A fork may continue another session, which is older and must be restored first.
    const oldestFirst = sessions.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
    return oldestFirst.flatMap(({ id }) => {
      const into = ["--root", root, "--fresh", "--into", seed, "--json"];
      const answer = this.#pollux(["restore", id, ...into]);
      if (answer?.outcome === "written") return [{ id, resumedAs: answer.command.at(-1) }];
      console.log(`${tree}: ${id} was not restored`);
      return [];
    });
  }

  /** What the program sends when it resumes each session, and how it lists them. */
  #resume(root, version, ids) {
    const out = join(this.#options.work, "out");
    const asked = { SEED_TREE: root, CHECK_IDS: ids.join(","), DUMP: "1", FORCE: "1" };
    const env = { ...asked, LAB_HOME_TAG: "prove" };
    const truth = play(this.#tool, { version, scenario: "check", out, env });
    const bodies = bodiesIn(join(out, version, "check.work", "bodies"));
    const { list = "" } = truth;
    return { list, listed: this.#parts.namesIn(list), sent: this.#parts.sentIn({ truth, bodies }) };
  }

  #pollux(args) {
    return polluxIn(this.#options.dist)(args);
  }
}

/** The sent requests, in order. */
function bodiesIn(folder) {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
}

function differenceOf(original, ours) {
  const at = original.findIndex((item, index) => !isDeepStrictEqual(item, ours[index]));
  const short = (item) => JSON.stringify(item)?.slice(0, 600);
  return `${original.length} and ${ours.length} items; ${short(original[at])}; ${short(ours[at])}`;
}
