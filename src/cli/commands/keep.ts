import type { UnkeptAtRisk, KeepAnswer } from "../../library/archive.ts";
import type { Library } from "../../library/library.ts";
import { willBeDeleted } from "../../queries/doctor/deletion.ts";
import type { SessionAtRisk } from "../../queries/doctor/retention-risk.ts";
import { agentName } from "../print/agent.ts";
import type { Command, Context } from "../command.ts";
import type { ExitCode } from "../exit.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interruptible.ts";
import { emptyLines } from "../print/empty.ts";
import { counted, exact, size } from "../print/figures.ts";
import { writeJson } from "../print/json.ts";
import { homePath } from "../print/path.ts";
import { safeLine } from "../print/safe.ts";
import { fit, wrap } from "../print/width.ts";

export const command: Command = {
  about:
    "Copies every session file, saved chat, prompt log and separately stored tool output into " +
    "the archive, in every state in which it is found. Unchanged files are not read again. What " +
    "an agent deletes later can still be listed, searched and restored.",
  options: [{ flags: "-q, --quiet", about: "print only errors" }],
  examples: [
    { line: "keep", about: "archive everything on this machine" },
    { line: "keep --root ~/backup", about: "archive a backup, too" },
    { line: "keep --archive /mnt/usb/pollux.db", about: "use another archive file" },
    { line: "keep --quiet", about: "for hooks and timers" },
  ],
  async run(context) {
    const { out, isJson, options, now } = context;
    const library = await context.library();
    const isReported = !isJson && !options.has("quiet");
    const seen = await interruptible(() => library.unkeptAtRisk(now.getTime()));
    if (!seen) return stopped(library, context);
    const first = seen.result;
    // Warn before the long part, so that anyone who stops it knows what is not safe.
    if (isReported) await out.write(text(warningLines(first, context)));
    const done = await interruptible(() => library.keep(now.getTime(), first));
    if (!done) return stopped(library, context);
    const answer = done.result;
    if (isJson) await writeJson(out, answer);
    else if (isReported && answer.roots.length === 0) {
      await out.write(text(emptyLines(library.roots, NOTHING_READ, context.style)));
    } else if (isReported) await out.write(text(linesOf(answer, first, context)));
    return EXIT.ok;
  },
};

const NOTHING_READ = { files: 0, diagnostics: [] };

/** What was kept so far stays; the next run continues. */
async function stopped({ archive }: Library, { err }: Context): Promise<ExitCode> {
  const safety = await archive.safety();
  const files = safety ? safety.keptFiles + safety.unkeptFiles : 0;
  const kept = `${exact(safety?.keptFiles ?? 0)} of ${counted(files, "file")}`;
  await err.line(`Stopped. ${kept} are archived; run \`pollux keep\` to continue.`);
  return EXIT.interrupted;
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

const MOST_NAMED = 5;
const MOST_COLUMNS = 110;

function warningLines({ sessions, named }: UnkeptAtRisk, context: Context): string[] {
  if (sessions === 0) return [];
  const [them, are] = sessions === 1 ? ["It", "is"] : ["They", "are"];
  const line = `${willBeDeleted(sessions, agentsOf(named))} and ${are} not archived yet.`;
  return [
    ...warned(`${line} ${them} ${are} archived first:`, context),
    ...namedLines(named, sessions, context),
    "",
  ];
}

function linesOf(answer: KeepAnswer, first: UnkeptAtRisk, context: Context): string[] {
  const lines = [...rootLines(answer), ...damageLines(answer, context)];
  if (first.sessions === 0) return [...riskLines(answer, context), ...lines];
  const safe = answer.atRisk.filter(({ isKept }) => isKept).length;
  const all = answer.atRisk.length;
  const which =
    safe === all ? "all of them are archived now" : `${exact(safe)} of them are archived now`;
  const line = `${willBeDeleted(all, agentsOf(answer.atRisk))}; ${which}.`;
  return [...lines, ...(safe === all ? wrap(line, context.columns) : warned(line, context))];
}

function riskLines({ atRisk }: KeepAnswer, context: Context): string[] {
  if (atRisk.length === 0) return [];
  const line = `${willBeDeleted(atRisk.length, agentsOf(atRisk))}. Archived:`;
  return [...warned(line, context), ...namedLines(atRisk, atRisk.length, context), ""];
}

function agentsOf(atRisk: readonly SessionAtRisk[]): string[] {
  return [...new Set(atRisk.map(({ source }) => agentName(source)))];
}

function namedLines(atRisk: readonly SessionAtRisk[], all: number, context: Context): string[] {
  const { style, columns } = context;
  const named = atRisk.slice(0, MOST_NAMED).map(({ title, project, why, daysLeft }) => {
    const isSoon = daysLeft !== null && daysLeft > 0;
    const when = isSoon ? `in ${counted(daysLeft, "day")}` : "next start";
    const because = { age: "", count: ", over limit", "resume-stub": ", resumed" }[why];
    const name = safeLine(title ?? "–");
    const line = `  ${safeLine(project)}, ${when}${because}: ${name}`;
    return style.dim(fit(line, Math.min(columns, MOST_COLUMNS)));
  });
  const more = all - named.length;
  if (more <= 0) return named;
  return [...named, style.dim(`  and ${exact(more)} more (\`pollux doctor\` lists them)`)];
}

function rootLines({ roots, archive }: KeepAnswer): string[] {
  const lines = roots.map((root) => {
    const news = [
      root.added > 0 ? `${exact(root.added)} new` : "",
      root.appended > 0 ? `${exact(root.appended)} grown` : "",
      root.replaced > 0 ? `${exact(root.replaced)} changed` : "",
      root.gone > 0 ? `${exact(root.gone)} deleted from disk` : "",
    ].filter((item) => item !== "");
    const before = root.unchanged === 0 ? [] : [`${exact(root.unchanged)} already archived`];
    const read = news.length === 0 ? "" : `; ${size(root.bytes)} read`;
    const line =
      root.found === root.unchanged && news.length === 0
        ? ["all already archived"]
        : [...news, ...before];
    const beside = root.found - root.foundSessionFiles;
    const files = counted(root.foundSessionFiles, "session file");
    const found = beside === 0 ? files : `${files} and ${counted(beside, "other file")}`;
    return `${homePath(root.root)}: ${found}; ${line.join(", ")}${read}`;
  });
  return [...lines, `Archive: ${homePath(archive)}`];
}

function damageLines({ roots }: KeepAnswer, context: Context): string[] {
  return roots.flatMap(({ diagnostics }) =>
    diagnostics.flatMap(({ file, message }) => {
      return warned(`Not archived: ${homePath(file)}: ${safeLine(message)}`, context);
    }),
  );
}

function warned(sentence: string, { style, columns }: Context): string[] {
  return wrap(sentence, columns).map((line) => style.yellow(line));
}
