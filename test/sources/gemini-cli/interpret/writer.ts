import type { Turn } from "./turns.ts";
import {
  contentOf,
  context,
  firstPromptFrom,
  GOT_IT,
  groups,
  isPrompt,
  listed,
  OUTPUT,
  paidBy,
  partsOf,
  recordedCall,
  SESSION,
  SUMMARY,
} from "./turns.ts";

/**
 * Writes session files as versions from 0.44 on do, event by event, and remembers the expected
 * reading: the live conversation, what was taken back, and what was paid.
 */
export class Writer {
  readonly lines: object[] = [];
  /** Tokens of all replies. */
  paid = 0;
  /** What the model remembers. */
  memory: Turn[] = [];
  /** Everything ever said, in order. */
  readonly said: Turn[] = [];
  #saved: Turn[] = [];
  #number = 0;
  /** Newer versions merge neighbours of one author when they rewrite a history. */
  readonly #style: "one by one" | "merged";

  constructor(style: "one by one" | "merged" = "one by one") {
    this.#style = style;
    this.#start();
  }

  prompt(words: string): void {
    const turn = this.#say("user", words);
    this.#line({ ...this.#head(turn.id, "user"), content: [{ text: words }] });
  }

  reply(words: string): void {
    this.#line(this.#reply(this.#say("gemini", words)));
  }

  /** A reply with a tool call is written again when the tool is done; then its response follows. */
  work(words: string): void {
    const turn = this.#say("gemini", words);
    const first = this.#reply(turn);
    turn.call = this.#id("read_file__");
    this.#line(first);
    this.lines.push({ ...first, toolCalls: [recordedCall(turn.call)] });
    const response = this.#say("user", "");
    response.answers = turn.call;
    this.#line({ ...this.#head(response.id, "user"), content: partsOf(response) });
  }

  notice(words: string): void {
    this.#line({ ...this.#head(this.#id("i"), "info"), content: words });
  }

  /** Rewinds to before a prompt. */
  rewind(which: number): void {
    const prompts = this.memory.filter((turn, index) => {
      return isPrompt(turn) && turn.fileId !== this.memory[index - 1]?.fileId;
    });
    const prompt = prompts[which % Math.max(1, prompts.length)];
    if (!prompt) return;
    this.lines.push({ $rewindTo: prompt.fileId });
    this.memory = this.memory.slice(0, this.memory.indexOf(prompt));
    this.#list();
  }

  /** The request failed: the last user message is removed. */
  fail(): void {
    if (this.memory.at(-1)?.role !== "user") return;
    // Messages merged with it are removed, too.
    const { fileId } = this.memory.at(-1) ?? {};
    this.memory = this.memory.filter((turn) => turn.fileId !== fileId);
    this.#list(context());
  }

  /** The person cancels: the last prompt and its answers are removed, and the rest is rewritten. */
  cancel(how: "listed" | "copied"): void {
    const at = this.memory.findLastIndex(isPrompt);
    const isMerged = this.memory[at]?.fileId === this.memory[at - 1]?.fileId;
    if (at === -1 || (at > 0 && isMerged)) return;
    this.notice("Request cancelled.");
    this.memory = this.memory.slice(0, at);
    if (how === "copied") this.#writeAnew();
    else this.#list(context());
  }

  /** The newest turns are kept under new ids, after a summary. */
  compress(keep: number): void {
    const from = firstPromptFrom(this.memory, this.memory.length - keep);
    if (from <= 0) return;
    const kept = this.memory.slice(from);
    const summary = this.#turnOf("user", SUMMARY);
    const thanks = this.#turnOf("gemini", GOT_IT);
    summary.isSummary = true;
    this.lines.push({ $set: { sessionId: SESSION } });
    const anew = [summary, thanks].map((turn) => this.#copy(turn));
    this.#snapshot([context(), ...anew, ...kept.map((turn) => this.#copy(turn))]);
    this.notice("");
    this.said.splice(this.said.indexOf(kept[0] ?? thanks), 0, thanks);
    this.memory = [summary, thanks, ...kept];
  }

  /** Masks long outputs: the whole history is written again and listed. */
  mask(): void {
    this.#writeAnew("<tool_output_masked>cut</tool_output_masked>");
  }

  save(): void {
    this.#saved = [...this.memory];
  }

  /** Loads a saved chat if it is still the beginning of the conversation. */
  load(): void {
    const isBeginning = this.#saved.every((turn, index) => this.memory[index] === turn);
    if (!isBeginning || this.#saved.length === 0) return;
    this.memory = [...this.#saved];
    this.#writeAnew();
  }

  /** Resumes within the same minute: a header, a start, and all messages without tokens. */
  resumeAtOnce(): void {
    this.#start();
    this.lines.push({ $set: { sessionId: SESSION } });
    this.#snapshot([context(), ...this.#listedForResume("bare")]);
  }

  resumeLater(): void {
    this.lines.push({ $set: { sessionId: SESSION } });
    this.#snapshot([context(), ...this.#listedForResume("whole")]);
  }

  #listedForResume(how: "bare" | "whole"): object[] {
    this.memory = this.memory.flatMap((turn, index) => {
      const id = `${turn.fileId}_response`;
      const isAnswered = this.memory[index + 1]?.fileId === id;
      if (turn.call === undefined || turn.isCopied === true || isAnswered) return [turn];
      // From then on the model remembers two answers to its call.
      return [turn, { role: "user", words: "", id, fileId: id, at: turn.at, answers: turn.call }];
    });
    return groups(this.memory).map((group) => {
      const head = this.#head(group[0].fileId, group[0].role);
      return how === "bare" ? { ...head, content: contentOf(group) } : listed(group);
    });
  }

  /** Lists the remembered messages by their current ids. */
  #list(...before: object[]): void {
    this.#snapshot([...before, ...groups(this.memory).map(listed)]);
  }

  /** Writes all remembered messages again under new ids and lists those. */
  #writeAnew(output: string = OUTPUT): void {
    const roles = this.memory.map(({ role }) => role);
    let id = "";
    this.memory.forEach((turn, index) => {
      const isMerged = this.#style === "merged" && roles[index] === roles[index - 1];
      if (!isMerged) id = this.#id("n");
      turn.fileId = id;
      turn.isCopied = true;
    });
    const copies = groups(this.memory).map((group, index) => {
      const isFirst = this.#style === "merged" && index === 0 && group[0].role === "user";
      group[0].isAfterContext = isFirst;
      return { ...this.#head(group[0].fileId, group[0].role), content: contentOf(group, output) };
    });
    for (const copy of copies) this.lines.push(copy);
    this.#snapshot(copies);
  }

  #start(): void {
    const time = this.#time();
    const header = { sessionId: SESSION, projectHash: "H", startTime: time, lastUpdated: time };
    this.lines.push({ ...header, kind: "main" }, { $set: { messages: [context()] } });
  }

  #say(role: Turn["role"], words: string): Turn {
    const turn = this.#turnOf(role, words);
    this.memory.push(turn);
    this.said.push(turn);
    return turn;
  }

  #turnOf(role: Turn["role"], words: string): Turn {
    const id = this.#id(role === "user" ? "u" : "g");
    return { role, words, id, fileId: id, at: this.#time() };
  }

  #reply(turn: Turn): Record<string, unknown> {
    const input = 1000 + this.#number;
    turn.tokens = { input, output: 10, cached: 7, thoughts: 3, tool: 0, total: input + 13 };
    this.paid += input + 13;
    return {
      id: turn.id,
      timestamp: turn.at,
      type: "gemini",
      content: turn.words,
      thoughts: [],
      ...paidBy(turn),
    };
  }

  /** The same turn with a new id, without what only the first record has. */
  #copy(turn: Turn): object {
    turn.fileId = this.#id("n");
    turn.isCopied = true;
    return { ...this.#head(turn.fileId, turn.role), content: partsOf(turn) };
  }

  #snapshot(messages: object[]): void {
    this.lines.push({ $set: { messages } });
  }

  #line(record: object): void {
    this.lines.push(record, { $set: { lastUpdated: this.#time() } });
  }

  #head(id: string, type: string): { id: string; timestamp: string; type: string } {
    return { id, timestamp: this.#time(), type };
  }

  #id(prefix: string): string {
    this.#number += 1;
    return `${prefix}${this.#number}`;
  }

  #time(): string {
    this.#number += 1;
    return new Date(Date.UTC(2026, 4, 4) + this.#number * 1000).toISOString();
  }
}
