import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SessionList, ToolsReport, UsageReport } from "../../src/index.ts";
import { go, hrefOf, messageHref, sessionHref } from "../address.ts";
import type { FoundTexts } from "../answers.ts";
import { useAnswer, usageOfAllTime } from "../ask.ts";
import { safeText } from "../safe-text.ts";
import { PAGES } from "./frame.tsx";
import { Marked } from "./marked.tsx";

interface Choice {
  key: string;
  group: string;
  href: string;
  text: ComponentChildren;
  more?: string;
}

const MOST = 6;
const TYPING_MS = 120;

/** One search field for pages, projects, sessions, files and texts. */
export default function Palette({ typed, closed }: { typed: () => string; closed: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [words, setWords] = useState(typed);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  // Focus now, not in the next frame: the next letter belongs in this field.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const choices = useChoices(words.trim());
  const at = Math.max(
    0,
    choices.findIndex(({ key }) => key === chosen),
  );
  const open = (href = ""): void => {
    dialog.current?.close();
    if (href !== "") go(href);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setChosen(choices[(at + step + choices.length) % Math.max(choices.length, 1)]?.key);
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to" onClose={closed}>
      <form onSubmit={() => open(choices[at]?.href)} method="dialog">
        <input
          class="field"
          type="text"
          list={undefined}
          autoComplete="off"
          role="combobox"
          aria-label="Go to"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={choices[at] ? `palette-${at}` : undefined}
          placeholder="A page, project, session, file, or words"
          value={words}
          onKeyDown={press}
          onInput={(event) => {
            setWords(event.currentTarget.value);
            setChosen(undefined);
          }}
        />
      </form>
      <ul id="palette-list" role="listbox" aria-label="Where to">
        {choices.map((choice, index) => (
          <Option
            key={choice.key}
            id={`palette-${index}`}
            choice={choice}
            isChosen={index === at}
            choose={() => setChosen(choice.key)}
            open={() => open(choice.href)}
          />
        ))}
      </ul>
    </dialog>
  );
}

interface OptionProps {
  id: string;
  choice: Choice;
  isChosen: boolean;
  choose: () => void;
  open: () => void;
}

function Option({ id, choice, isChosen, choose, open }: OptionProps) {
  return (
    <li id={id} role="option" aria-selected={isChosen} onMouseMove={choose} onClick={open}>
      <span class="soft small group">{choice.group}</span>
      <span class="name" dir="auto">
        {choice.text}
      </span>
      <span class="soft small more">{choice.more}</span>
    </li>
  );
}

/**
 * Matching choices. Answers to earlier input are left out, so that Enter cannot open a wrong one.
 */
function useChoices(words: string): Choice[] {
  const settled = useSettled(words);
  const isAsked = settled !== "" && settled === words;
  const limit = String(MOST);
  const projects = useAnswer<UsageReport>(usageOfAllTime("project"));
  const tools = useAnswer<ToolsReport>(isAsked ? "/api/tools" : undefined);
  const sessions = useAnswer<SessionList>(hrefOf("/api/sessions", { q: settled, limit }));
  const isWord = isAsked && /[\p{L}\p{N}]{2}/u.test(settled);
  const text = `"${settled.replaceAll('"', " ")}"`;
  const found = useAnswer<FoundTexts>(
    isWord ? hrefOf("/api/search", { q: text, limit }) : undefined,
  );
  const lower = words.toLowerCase();
  const fits = (name: string): boolean => name.toLowerCase().includes(lower);
  return [
    ...PAGES.filter(([, label]) => fits(label)).map(([href, label]) => {
      return { key: href, group: "Page", href, text: label };
    }),
    ...(words === "" ? [] : projectChoices(projects.value, fits)),
    ...(sessions.isWaiting || settled !== words ? [] : sessionChoices(sessions.value)),
    ...(isAsked && !tools.isWaiting ? fileChoices(tools.value, fits) : []),
    ...(isWord && !found.isWaiting ? textChoices(found.value, text) : []),
    ...(words === "" ? [] : [searchFor(words)]),
  ];
}

function projectChoices(
  report: UsageReport | undefined,
  fits: (name: string) => boolean,
): Choice[] {
  const rows = report?.rows.filter(({ key, label }) => fits(label ?? key)) ?? [];
  return rows.slice(0, MOST).map(({ key, label }) => {
    const href = hrefOf("/sessions", { project: key });
    return { key: `project ${key}`, group: "Project", href, text: safeText(label ?? key) };
  });
}

function sessionChoices(list: SessionList | undefined): Choice[] {
  return (list?.sessions ?? []).map(({ id, source, title, project }) => ({
    key: `session ${source} ${id}`,
    group: "Session",
    href: sessionHref({ id, source }),
    text: safeText(title ?? "Untitled"),
    more: safeText(project.name),
  }));
}

function fileChoices(report: ToolsReport | undefined, fits: (name: string) => boolean): Choice[] {
  const files = report?.files.filter(({ path }) => fits(path)) ?? [];
  return files.slice(0, MOST).map(({ path }) => {
    const [, folder = "", name = path] = /^(.*)[\\/]([^\\/]+)$/s.exec(path) ?? [];
    const href = hrefOf("/uses", { path });
    return {
      key: `file ${path}`,
      group: "File",
      href,
      text: safeText(name),
      more: safeText(folder),
    };
  });
}

function textChoices(found: FoundTexts | undefined, words: string): Choice[] {
  return (found?.hits ?? []).map((hit, at) => ({
    key: `text ${hit.sessionId} ${hit.messageId} ${at}`,
    group: "Text",
    href: messageHref({ ...hit, find: words }),
    text: <Marked text={hit.snippet} marks={hit.marks} />,
  }));
}

function searchFor(words: string): Choice {
  const href = hrefOf("/search", { q: words });
  return { key: "search", group: "Search", href, text: `Search everything for “${words}”` };
}

/** The input, debounced. */
function useSettled(words: string): string {
  const [settled, setSettled] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words), TYPING_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return settled;
}
