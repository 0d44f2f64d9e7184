import { optional } from "../../core/optional.ts";
import { doctorReport, reportText } from "../../queries/doctor/doctor-report.ts";
import { AGENT_OPTIONS, agentOf } from "../options/agent.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { nodeNote } from "../node-support.ts";
import { doctorLines, fact } from "../print/doctor.ts";
import { writeJson } from "../print/json.ts";
import { version } from "../version.ts";

/** Number of complaints of each kind that are shown without `--rejects`. */
const MOST_COMPLAINTS = 3;

export const command: Command = {
  about:
    "Lists the folders that Pollux reads and why, the formats found in them, how projects were " +
    "named, and what could not be read.",
  options: [
    { flags: "--rejects", about: "list everything that could not be read, and why" },
    { flags: "--report", about: "print a report to share, without your texts, names and paths" },
    ...AGENT_OPTIONS,
  ],
  examples: [
    { line: "doctor", about: "check this machine" },
    { line: "doctor --rejects", about: "with every complaint, by file and line" },
    { line: "doctor --root ~/backup --json", about: "check a backup, as JSON" },
    {
      line: "doctor --report > report.md",
      about: "attach it to an issue about an unreadable file",
    },
  ],
  async run(context) {
    const { options, out, now, columns, style } = context;
    const library = await context.library();
    const answer = await library.doctor(now.getTime(), {
      ...optional("source", agentOf(options)),
      bytes: "verified",
    });
    if (options.has("report")) {
      const node = process.versions.node;
      const origin = { pollux: version, node, system: `${process.platform} ${process.arch}` };
      const report = doctorReport(answer, origin);
      if (context.isJson) await writeJson(out, report);
      else await out.write(reportText(report));
      return EXIT.ok;
    }
    if (context.isJson) {
      await writeJson(out, answer);
      return EXIT.ok;
    }
    const most = options.has("rejects") ? Infinity : MOST_COMPLAINTS;
    const view = { columns: Math.min(columns, 140), style, most };
    const note = nodeNote(process.versions.node, now);
    for (const line of doctorLines(answer, view)) await out.line(line);
    if (note !== undefined) {
      for (const line of ["", ...fact("node", note, view)]) await out.line(line);
    }
    return EXIT.ok;
  },
};
