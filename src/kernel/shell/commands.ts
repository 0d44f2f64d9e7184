import type { Command, Redirection, SyntaxNode } from "unbash";
import { forEachChild, parse } from "unbash";
import { isForeignShell, foreignCommands } from "./foreign-shell.ts";
import { unwrap } from "./wrappers.ts";

/** Limit for scripts nested in scripts; real lines are not nested deeper. */
const MAX_DEPTH = 8;
const MAX_NAME = 80;
/** The parser's time grows with the square of the length, for lines with many open brackets. */
const MAX_LENGTH = 16 * 1024;

/**
 * Returns the names of the commands that a shell line runs, in order of appearance:
 *
 *     cd app && sudo env CI=1 timeout 60 bash -c "npm test | tail -5"   →   cd, npm, tail
 */
export function shellCommands(line: string): string[] {
  return commandsOf(line.slice(0, MAX_LENGTH), 0).filter(
    (name) => name !== "" && name.length <= MAX_NAME,
  );
}

function commandsOf(script: string, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  if (isForeignShell(script)) return foreignCommands(script);
  const names: string[] = [];
  const defined = new Set<string>();
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Function") defined.add(node.name.value);
    if (node.type !== "Command") return forEachChild(node, visit);
    const found = runBy(node);
    for (const part of found) {
      if (part.kind === "name") names.push(part.name);
      else {
        const isScript = part.kind === "script";
        const inner = isScript ? commandsOf(part.text, depth + 1) : foreignCommands(part.text);
        for (const name of inner) names.push(name);
      }
    }
    // A nested script was just read. Otherwise substitutions in the arguments run commands, too.
    if (found.every(({ kind }) => kind === "name")) forEachChild(node, visit);
  };
  visit(parse(script));
  return names.filter((name) => !defined.has(name));
}

type Run = ReturnType<typeof unwrap>[number];

function runBy(command: Command): Run[] {
  if (!command.name) return [];
  const words = [command.name.value, ...command.args.map((word) => textOf(word))];
  const fed = command.redirects.map(bodyOf).find((body) => body !== undefined);
  return unwrap(words, fed);
}

function textOf(word: Command["args"][number]): string {
  return word.type === "Word" ? word.value : word.text;
}

/** A shell without a script argument runs its input: `bash <<EOF … EOF`. */
function bodyOf(redirection: Redirection): string | undefined {
  if (redirection.type === "HereDoc") return redirection.body.text;
  return redirection.type === "HereString" ? redirection.target?.value : undefined;
}
