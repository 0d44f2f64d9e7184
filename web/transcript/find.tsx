import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MessageAnswer } from "../../src/index.ts";
import { exact } from "../figures.ts";
import { address } from "../address.ts";
import { isTyping } from "../parts/keys.tsx";
import { useMarks, wordsOf } from "./marks.ts";
import { anchorOf } from "./message.tsx";

export interface FindProps {
  messages: readonly MessageAnswer[];
  /** Draws all messages, so that each can be scrolled to. */
  reveal: () => void;
}

/** Whether the field is shown. */
export const isFinding = signal(false);

/** Searches texts, thoughts, arguments and outputs, folded or not. */
export function Find({ messages, reveal }: FindProps) {
  const field = useRef<HTMLInputElement>(null);
  const isOpen = isFinding.value;
  const [words, setWords] = useState("");
  const searched = address.value.query.get("find") ?? "";
  useMarks(isOpen ? [words.trim()] : wordsOf(searched), ".session-main");
  const [at, setAt] = useState(0);
  const found = useMemo(() => findIn(messages, words), [messages, words]);
  useFindKeys();
  useEffect(() => {
    if (isOpen) reveal();
    field.current?.focus();
  }, [isOpen]);
  useEffect(() => setAt(0), [words]);
  useEffect(() => {
    const hit = isOpen ? found[at % Math.max(found.length, 1)] : undefined;
    return hit === undefined ? undefined : pointAt(hit);
  }, [at, found, isOpen]);
  if (!isOpen) return null;
  const move = (step: number): void =>
    setAt((at + step + found.length) % Math.max(found.length, 1));
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        move(1);
      }}
    >
      <input
        ref={field}
        class="field"
        type="search"
        aria-label="Find in this session"
        placeholder="Find in this session"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <span class="small soft" role="status">
        {words === "" ? "" : `${found.length === 0 ? 0 : at + 1} of ${exact(found.length)}`}
      </span>
      <button class="button bare" type="button" onClick={() => move(-1)}>
        Previous
      </button>
      <button class="button bare" type="submit">
        Next
      </button>
      <button class="button bare" type="button" onClick={() => (isFinding.value = false)}>
        Close
      </button>
    </form>
  );
}

/** `f` opens, Escape closes. */
function useFindKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === "Escape") isFinding.value = false;
      if (event.key !== "f" || isTyping(event)) return;
      event.preventDefault();
      isFinding.value = true;
    };
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("keydown", press);
      isFinding.value = false;
    };
  }, []);
}

function pointAt(id: string): () => void {
  const element = document.getElementById(anchorOf(id));
  // The match may be inside a fold.
  for (const fold of element?.querySelectorAll("details") ?? []) fold.open = true;
  element?.scrollIntoView({ block: "center" });
  element?.classList.add("pointed");
  return () => element?.classList.remove("pointed");
}

function findIn(messages: readonly MessageAnswer[], words: string): string[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  return messages
    .filter((item) => textsOf(item).some((text) => has(text, wanted)))
    .map(({ id }) => id);
}

function has(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted);
}

function textsOf(message: MessageAnswer): string[] {
  const { text, thoughts, references, toolCalls } = message;
  return [
    text,
    ...thoughts.map(({ subject, description }) => `${subject} ${description}`),
    ...references.map(({ path, content }) => `${path} ${content}`),
    ...toolCalls.flatMap(({ name, args, output }) => [
      name,
      JSON.stringify(args) ?? "",
      output ?? "",
    ]),
  ];
}
