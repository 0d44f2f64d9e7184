/**
 * Returns the folder name that Claude Code and Qwen Code use for a directory: every UTF-16 unit
 * that is not an ASCII letter or digit becomes `-`.
 *
 *     /home/ada/projects/ledger → -home-ada-projects-ledger
 */
export function projectSlug(directory: string): string {
  return directory.replace(/[^A-Za-z0-9]/g, (found) => "-".repeat(found.length));
}
