import { wrongUsage } from "../core/error.ts";
import type { UserAnnotations } from "../core/session/annotation.ts";
import { optional } from "../core/optional.ts";
import type { OwnChange, OwnList, AnnotatedItem } from "../library/annotations.ts";
import type { ArgumentSpec, Command, Context, OptionSpec } from "./command.ts";
import type { ExitCode } from "./exit.ts";
import { EXIT } from "./exit.ts";
import { AGENT_OPTIONS, agentOf, namedSessions } from "./options/agent.ts";
import { counted } from "./print/figures.ts";
import { writeJson } from "./print/json.ts";
import { ownText } from "./print/annotations.ts";
import { safeLine } from "./print/safe.ts";
import { shortId } from "./print/session-list.ts";
import type { Style } from "./print/style.ts";

/** Options shared by `tag`, `note`, `star` and `title`. */
export const OWN_OPTIONS: readonly OptionSpec[] = [
  ...AGENT_OPTIONS,
  { flags: "--message <id>", about: "apply to this message of the session" },
];

export const SESSION_ARGUMENT: ArgumentSpec = {
  name: "[id]",
  about: "a session id or unique prefix, or latest; without it, list all",
  offers: ["latest"],
};

/** A command that sets the user's note or title of a session. */
export function ownTextCommand(
  kind: "note" | "title",
  { about, set }: { about: string; set: Command["examples"][number] },
): Command {
  return {
    about,
    arguments: [SESSION_ARGUMENT, { name: "[text...]", about: `the ${kind}` }],
    options: [{ flags: "-r, --remove", about: `remove the ${kind}` }, ...OWN_OPTIONS],
    examples: [
      set,
      { line: `${kind} 55844c5c --remove`, about: `remove the ${kind}` },
      { line: kind, about: `list all ${kind}s` },
    ],
    async run(context) {
      const [id, ...words] = context.args;
      if (id === undefined) {
        const none = `No ${kind}s yet. Add one: \`pollux ${kind} latest TEXT\`.`;
        return listAnnotations(context, { none, isMeant: (own) => own[kind] !== null });
      }
      const isRemoved = context.options.has("remove");
      if (isRemoved === words.length > 0) {
        throw wrongUsage(`Missing text: give the ${kind}, or --remove to remove it.`);
      }
      return changeAnnotations(context, [id], { [kind]: isRemoved ? null : words.join(" ") });
    },
  };
}

/** What `--json` prints after a change. */
export interface OwnChanged {
  things: AnnotatedItem[];
}

/** Changes annotations of sessions and prints the result. */
export async function changeAnnotations(
  context: Context,
  sessions: readonly string[],
  change: OwnChange,
): Promise<ExitCode> {
  const library = await context.library();
  const names = namedSessions({ ...context, args: sessions });
  const target = { sessions: names, ...optional("message", context.options.text("message")) };
  const things = await library.own.change(target, change);
  const answer: OwnChanged = { things };
  if (context.isJson) await writeJson(context.out, answer);
  else for (const thing of things) await context.out.line(thingLine(thing, context.style));
  return EXIT.ok;
}

/** Lists everything with a matching annotation. */
export async function listAnnotations(
  context: Context,
  { none, isMeant }: { none: string; isMeant: (own: UserAnnotations) => boolean },
): Promise<ExitCode> {
  const list = await (await context.library()).own.list(agentOf(context.options));
  const things = list.things.filter(({ own }) => own !== null && isMeant(own));
  if (context.isJson) {
    await writeJson(context.out, { ...list, things });
    return EXIT.ok;
  }
  if (things.length === 0) await context.out.line(none);
  for (const thing of things) {
    const title =
      thing.session === null ? "session not found" : safeLine(thing.session.title ?? "–");
    await context.out.line(`${thingLine(thing, context.style)}  ${context.style.dim(title)}`);
  }
  return EXIT.ok;
}

export async function listTags(context: Context): Promise<ExitCode> {
  const list = await (await context.library()).own.list(agentOf(context.options));
  if (context.isJson) {
    await writeJson(context.out, list);
    return EXIT.ok;
  }
  if (list.tags.length === 0)
    await context.out.line("No tags yet. Add one: `pollux tag latest NAME`.");
  for (const tag of list.tags) await context.out.line(tagLine(tag, context.style));
  return EXIT.ok;
}

function tagLine({ tag, sessions, messages }: OwnList["tags"][number], style: Style): string {
  const on = [
    ...(sessions > 0 ? [counted(sessions, "session")] : []),
    ...(messages > 0 ? [counted(messages, "message")] : []),
  ];
  return `${style.cyan(`#${safeLine(tag)}`)}  ${on.join(", ")}`;
}

function thingLine({ sessionId, messageId, own }: AnnotatedItem, style: Style): string {
  const message = messageId === null ? "" : ` message ${safeLine(messageId)}`;
  const layer = own === null ? style.dim("nothing") : ownText(own);
  return `${style.cyan(shortId(sessionId))}${message}  ${layer}`;
}
