import type { Item } from "./item.ts";
import { matchType } from "./match.ts";
import type { Mismatch } from "./mismatch.ts";
import { parseCddl } from "./parse.ts";
import { PRELUDE } from "./prelude.ts";
import type { Group, GroupEntry, Position, Rule, Type } from "./syntax.ts";
import { CddlFault } from "./syntax.ts";

/** A compiled schema. */
export interface Schema {
  ruleNames: readonly string[];
  /** `undefined` when the value fits the rule. */
  match(rule: string, value: Item): Mismatch | undefined;
}

/** Throws a `CddlFault` for anything in the text that could not be checked exactly as written. */
export function compileCddl(text: string): Schema {
  const rules = new Map<string, Rule>();
  for (const rule of parseCddl(text)) {
    if (PRELUDE.has(rule.name))
      throw new CddlFault(rule.at, `${rule.name} is a name of CDDL itself`);
    if (rules.has(rule.name)) throw new CddlFault(rule.at, `${rule.name} is defined twice`);
    rules.set(rule.name, rule);
  }
  const checker = new Checker(rules);
  for (const rule of rules.values()) checker.rule(rule);
  return {
    ruleNames: [...rules.keys()],
    match(name, value) {
      const rule = rules.get(name);
      if (rule?.body.kind !== "type") throw new RangeError(`the schema has no type ${name}`);
      const mismatch = matchType(rule.body.type, value, {
        rules,
        path: "",
        depth: 0,
        match: matchType,
      });
      return mismatch && { path: mismatch.path, message: mismatch.message };
    },
  };
}

class Checker {
  readonly #rules: ReadonlyMap<string, Rule>;

  constructor(rules: ReadonlyMap<string, Rule>) {
    this.#rules = rules;
  }

  rule(rule: Rule): void {
    this.#mustEnd(rule, [rule.name]);
    if (rule.body.kind === "group") this.#group(rule.body.group, rule.at);
    else this.#type(rule.body.type, rule.at);
  }

  /** Rejects a rule that refers to itself without entering a map or list: it would never end. */
  #mustEnd(rule: Rule, path: readonly string[]): void {
    const names =
      rule.body.kind === "type" ? directNames(rule.body.type) : groupNames(rule.body.group);
    for (const name of names) {
      if (path.includes(name)) {
        throw new CddlFault(rule.at, `${[...path, name].join(" → ")} leads back to itself`);
      }
      const next = this.#rules.get(name);
      if (next) this.#mustEnd(next, [...path, name]);
    }
  }

  #type(type: Type, at: Position): void {
    switch (type.kind) {
      case "literal":
      case "range":
        return;
      case "choice":
        for (const option of type.options) this.#type(option, at);
        return;
      case "name":
        return this.#name(type.name, type.at);
      case "tag":
        return this.#type(type.type, at);
      case "map":
      case "list":
        return this.#group(type.group, at);
      case "control":
        this.#type(type.target, at);
        return this.#control(type, at);
      default:
        return type satisfies never;
    }
  }

  #name(name: string, at: Position): void {
    if (PRELUDE.has(name)) return;
    const rule = this.#rules.get(name);
    if (!rule) throw new CddlFault(at, `${name} is not defined`);
    if (rule.body.kind === "group") throw new CddlFault(at, `${name} is a group, not a type`);
  }

  #group(group: Group, at: Position): void {
    for (const entries of group.options) for (const entry of entries) this.#entry(entry, at);
  }

  #entry(entry: GroupEntry, at: Position): void {
    if (entry.kind === "group") return this.#group(entry.group, entry.at);
    if (entry.key) this.#type(entry.key.type, entry.at);
    const { type } = entry;
    const isGroupName =
      type.kind === "name" && this.#rules.get(type.name)?.body.kind === "group" && !entry.key;
    if (!isGroupName) this.#type(type, at);
  }

  #control(type: Type & { kind: "control" }, at: Position): void {
    const { argument, name } = type;
    if (name === "cbor") return this.#type(argument, at);
    if (name === "regexp") {
      const pattern = patternOf(argument, this.#rules);
      if (pattern === undefined) throw new CddlFault(at, ".regexp wants a text");
      return checkPattern(pattern, at);
    }
    const isNumber = argument.kind === "literal" && typeof argument.value === "bigint";
    if (isNumber || (name === "size" && argument.kind === "range")) return;
    throw new CddlFault(at, `.${name} wants an integer`);
  }
}

function checkPattern(pattern: string, at: Position): void {
  try {
    RegExp(`^(?:${pattern})$`, "u");
  } catch {
    // The engine's message describes its own regex dialect, so it is not shown.
    throw new CddlFault(
      at,
      `the pattern ${JSON.stringify(pattern.slice(0, 60))} is not understood`,
    );
  }
}

/** The text of a pattern, given directly or as the name of a rule with one text. */
function patternOf(type: Type, rules: ReadonlyMap<string, Rule>): string | undefined {
  if (type.kind === "literal") return typeof type.value === "string" ? type.value : undefined;
  const rule = type.kind === "name" ? rules.get(type.name) : undefined;
  return rule?.body.kind === "type" ? patternOf(rule.body.type, rules) : undefined;
}

function directNames(type: Type): string[] {
  if (type.kind === "name") return [type.name];
  if (type.kind === "choice") return type.options.flatMap(directNames);
  return type.kind === "control" ? directNames(type.target) : [];
}

/** Names that may stand for a whole group: entries without a key. */
function groupNames(group: Group): string[] {
  return group.options.flat().flatMap((entry) => {
    if (entry.kind === "group") return groupNames(entry.group);
    return entry.key || entry.type.kind !== "name" ? [] : [entry.type.name];
  });
}
