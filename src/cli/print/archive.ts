import type { StoreStats, VerifyReport } from "../../store/store.ts";
import { counted, exact, size } from "./figures.ts";
import { homePath } from "./path.ts";
import { safeLine } from "./safe.ts";
import type { Style } from "./style.ts";
import { factLine } from "./width.ts";

interface View {
  style: Style;
}

export function statsLines(stats: StoreStats, { style }: View): string[] {
  const fact = (name: string, text: string): string => factLine(name, text, style);
  const { files, originalBytes, newestBytes, distinctBytes, storedBytes } = stats;
  const ratio =
    storedBytes === 0 ? "" : `, ${(newestBytes / storedBytes).toFixed(1)} times smaller`;
  return [
    fact("archive", `${homePath(stats.location)}, ${size(stats.sizeBytes)}`),
    fact("files", `${exact(files.total)}, ${exact(files.gone)} no longer on disk`),
    fact("versions", `${exact(stats.versions)}, ${size(originalBytes)} in total`),
    fact(
      "bytes",
      `${size(newestBytes)} in the newest versions; ${size(distinctBytes)} without duplicates, ` +
        `stored in ${size(storedBytes)}${ratio}`,
    ),
    fact("text", `${counted(stats.texts, "indexed text")}, ${size(stats.textBytes)}`),
    fact("sessions", exact(stats.sessions)),
    ...(stats.forgotten > 0 ? [fact("forgotten", counted(stats.forgotten, "session"))] : []),
    ...stats.roots.map(({ path, how, machine }, at) => {
      const where = machine.isThis ? "this machine" : safeLine(machine.name);
      return fact(at === 0 ? "roots" : "", `${homePath(path)} (${how}, ${where})`);
    }),
  ];
}

export function verifyLines({ chunks, bytes, problems }: VerifyReport, { style }: View): string[] {
  const whole = `${counted(chunks, "chunk")}, ${size(bytes)}`;
  if (problems.length === 0) return [`No problems found: checked ${whole}.`];
  return [
    style.red(`${counted(problems.length, "problem")} in ${whole}:`),
    ...problems.flatMap(({ what, files }) => [
      `  ${safeLine(what)}`,
      ...files.map((file) => style.dim(`    ${homePath(file)}`)),
    ]),
  ];
}
