import type { Session } from "../../core/session/session.ts";

/**
 * Home folders in all notations: `/home/ada`, `/Users/ada`, `C:\Users\ada` (also with doubled
 * backslashes, inside JSON), `/c/Users/ada`, `/mnt/c/Users/ada`. A Windows name may contain spaces
 * if a separator follows.
 */
const UNIX_NAME = String.raw`[^\s/\\"'\x60<>|:*?,;(){}\[\]$%&=#]+`;
const WINDOWS_NAME = String.raw`(?:[^\r\n/\\"'<>|:*?]{1,40}?(?=[\\/])|${UNIX_NAME})`;
export const HOME_PATTERN: string =
  String.raw`(?<![A-Za-z0-9_])(?:` +
  String.raw`[A-Za-z]:(?:\\{1,4}|/)[Uu]sers(?:\\{1,4}|/)` +
  String.raw`(?!Public\b|Default\b|All Users\b)${WINDOWS_NAME}` +
  String.raw`|(?:/mnt)?/[a-z]/Users/(?!Public\b)${UNIX_NAME}` +
  String.raw`|/home/${UNIX_NAME}|/Users/(?!Shared\b)${UNIX_NAME})`;

/** Every match of the pattern contains one of these. */
export const HOME_NEEDLES: readonly string[] = ["/home/", "Users", "users"];

/** Account names that do not identify a person. */
const NOBODY = new Set(
  (
    "root admin administrator user users username name you me guest test tester demo ubuntu " +
    "debian node app runner vscode codespace jenkins circleci travis build builder ci dev " +
    "developer docker www www-data nobody home shared public default ec2-user vagrant pi " +
    "git work"
  ).split(" "),
);

/** Names that are also ordinary words; masked only next to `@` and `~`. */
const WORDS = new Set(
  (
    "will mark max art bill grant ray rose may june april august hope joy faith dawn jack " +
    "rob pat sue drew chase chance page rich frank dean miles lane cole reed wade cliff " +
    "glen dale heath rusty sandy penny ruby pearl amber iris ivy lily olive violet summer " +
    "autumn star sky basil sage clay rock stone hunter mason carter cooper baker taylor " +
    "parker turner walker fisher archer gage lance pierce skip buddy earl duke king prince " +
    "major general christian angel harmony melody grace dot gene van chip norm bud kit"
  ).split(" "),
);

export interface People {
  /** Home folders found in the session's paths. */
  homes: string[];
  /** Account names that identify a person. */
  names: string[];
}

/** Home folders and account names in the paths of a session. */
export function peopleOf(session: Pick<Session, "project" | "directories" | "files">): People {
  const paths = [
    session.project.path ?? "",
    ...session.directories,
    ...session.files.map(({ path }) => path),
  ];
  const homes = paths.flatMap((path) => new RegExp(`^${HOME_PATTERN}`).exec(path)?.[0] ?? []);
  return { homes, names: homes.flatMap(nameOfHome) };
}

export function nameOfHome(home: string): string[] {
  const name = home.split(/[\\/]+/).at(-1) ?? "";
  return name.length < 2 || NOBODY.has(name.toLowerCase()) ? [] : [name];
}

/** Matches an account name as a whole word. */
export function namePattern(name: string): string {
  const escaped = escapePattern(name);
  const isWord = name.length < 3 || WORDS.has(name.toLowerCase());
  return isWord
    ? `(?<=~)${escaped}(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])${escaped}(?=@[A-Za-z0-9])`
    : `(?<![A-Za-z0-9_])${escaped}(?![A-Za-z0-9_])`;
}

export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
