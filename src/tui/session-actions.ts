import { resolve } from "node:path";
import { exact, size } from "../cli/print/figures.ts";
import { homePath } from "../cli/print/path.ts";
import { safeLine } from "../cli/print/safe.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import type { Chunk } from "../exports/export.ts";
import { exportForms } from "../library/session-exports.ts";
import { findOnPath } from "../kernel/on-path.ts";
import type { Choice } from "./chooser.ts";
import { Chooser } from "./chooser.ts";
import type { HomeContext } from "./screen.ts";

/** Writes a new file and returns its size. */
export type WriteFile = (path: string, chunks: AsyncIterable<Chunk>) => Promise<number>;

const ACTIONS: Readonly<Record<string, string>> = {
  r: "resumes",
  R: "restores",
  h: "hands over",
  e: "exports",
  y: "copies the id of",
};

/** Actions on the selected session, by key. */
export class SessionActions {
  readonly #home: HomeContext;
  readonly #writeFile: WriteFile;

  constructor(home: HomeContext, writeFile: WriteFile) {
    this.#home = home;
    this.#writeFile = writeFile;
  }

  /** Returns whether the key is an action; shows a hint if no session is selected. */
  press(key: string, session: SessionSummary | undefined): boolean {
    const home = this.#home;
    const what = ACTIONS[key];
    if (!session && what !== undefined) {
      home.say(`${key} ${what} a session: choose one first, with Tab or Enter.`);
      return true;
    }
    if (!session) return false;
    if (key === "r") void this.#resume(session);
    else if (key === "y") this.#copy(session);
    else if (key === "e") {
      home.open(new Chooser(home, "Export as", () => this.#forms(session)));
    } else if (key === "h") {
      home.open(new Chooser(home, "Hand over to", () => this.#handoverChoices(session)));
    } else if (key === "R") {
      home.open(new Chooser(home, "Restore", () => this.#restoring(session)));
    } else return false;
    return true;
  }

  /** Leaves the home screen to run the agent, if the session can be resumed. */
  async #resume(session: SessionSummary): Promise<void> {
    const home = this.#home;
    const name = nameOf(session);
    try {
      const library = await home.library();
      const resumed = await library.resumeCommand(name, { nowMs: home.now().getTime() });
      const [program = ""] = resumed.command;
      if (!resumed.isProjectThere) {
        home.say(`Cannot resume: ${homePath(resumed.projectPath)} does not exist.`);
      } else if (findOnPath(program, process.env) === undefined) {
        home.say(`Cannot resume: ${program} was not found on your PATH.`);
      } else home.leave({ kind: "resume", sessionId: name });
    } catch (error) {
      home.say(sentenceOf(error));
    }
  }

  #copy({ id }: SessionSummary): void {
    this.#home.copy(id);
    this.#home.say(`Copied ${id}`);
  }

  async #forms(session: SessionSummary): Promise<Choice[]> {
    const forms = await exportForms();
    return forms.map(({ name, title }) => {
      return { name, about: title, take: () => void this.#export(session, name) };
    });
  }

  async #export(session: SessionSummary, form: string): Promise<void> {
    const home = this.#home;
    home.say("Writing …");
    try {
      const library = await home.library();
      const request = { to: form, masking: "plain", nowMs: home.now().getTime() } as const;
      const written: string[] = [];
      for await (const { name, chunks } of library.export({ ids: [nameOf(session)] }, request)) {
        const path = resolve(name);
        written.push(`${homePath(path)} (${size(await this.#writeFile(path, chunks))})`);
      }
      home.say(`Wrote ${written.join(", ")}. Secrets are not masked.`);
    } catch (error) {
      home.say(sentenceOf(error));
    }
  }

  /** Agents that the session can be handed over to. */
  async #handoverChoices(session: SessionSummary): Promise<Choice[]> {
    const { sources } = await this.#home.library();
    const agents = sources.filter(
      (agent) => agent.abilities.handover && agent.id !== session.source,
    );
    return agents.map(({ id: to, name }) => {
      const ask = () => this.#handingOver(nameOf(session), to);
      const take = () => this.#home.open(new Chooser(this.#home, `Hand over to ${name}`, ask));
      return { name, about: "continues with a copy; the session is not changed", take };
    });
  }

  async #handingOver(id: string, to: string): Promise<Choice[]> {
    const nowMs = this.#home.now().getTime();
    const library = await this.#home.library();
    const { file, tokens, losses } = await library.handover(id, { to, nowMs, writes: "dry-run" });
    const lost = losses.map(({ what, count }) => `${count} ${what}`).join(", ");
    const about = `write ${homePath(file)}, about ${exact(tokens)} tokens`;
    return [
      { name: "No", about: "write nothing", take: () => undefined },
      {
        name: "Yes",
        about: lost === "" ? about : `${about}; without ${lost}`,
        take: () => void this.#handOver(id, to),
      },
    ];
  }

  async #handOver(id: string, to: string): Promise<void> {
    try {
      const library = await this.#home.library();
      const nowMs = this.#home.now().getTime();
      const { sessionId, to: target } = await library.handover(id, { to, nowMs });
      this.#home.copy(sessionId);
      this.#home.say(`Handed over to ${target.agent}: session ${sessionId} (copied).`);
    } catch (error) {
      this.#home.say(sentenceOf(error));
    }
  }

  /** Shows what would be written, and asks for confirmation. */
  async #restoring(session: SessionSummary): Promise<Choice[]> {
    const name = nameOf(session);
    const library = await this.#home.library();
    const nowMs = this.#home.now().getTime();
    const { file, outcome } = await library.restore(name, { nowMs, writes: "dry-run" });
    if (outcome === "unchanged" || outcome === "exists") {
      const about = `the agent already has it: ${homePath(file)}`;
      return [{ name: "Nothing to do", about, take: () => undefined }];
    }
    return [
      { name: "No", about: "write nothing", take: () => undefined },
      { name: "Yes", about: `write ${homePath(file)}`, take: () => void this.#restore(name) },
    ];
  }

  async #restore(id: string): Promise<void> {
    try {
      const library = await this.#home.library();
      const { file } = await library.restore(id, { nowMs: this.#home.now().getTime() });
      this.#home.say(`Restored ${homePath(file)}. Press r to resume it.`);
    } catch (error) {
      this.#home.say(sentenceOf(error));
    }
  }
}

/** The id with its agent: sessions of two agents may have the same id. */
export function nameOf({ source, id }: SessionSummary): string {
  return `${source}:${id}`;
}

function sentenceOf(error: unknown): string {
  return safeLine(error instanceof Error ? error.message : String(error));
}
