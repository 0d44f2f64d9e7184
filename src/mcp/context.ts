import type { SessionFilter } from "../core/filter.ts";
import type { Library } from "../library/library.ts";
import type { SecretMask } from "../queries/redaction/secret-mask.ts";

/** What every tool, resource and prompt works with. */
export interface McpContext {
  library: Library;
  /** The directory of the project that the agent works in; absent: all projects are meant. */
  folder?: string;
  /** Absent: nothing is masked, because somebody said so. */
  mask?: Pick<SecretMask, "mask">;
  /** `write`: stars, tags and notes may be put on sessions. */
  access?: "read" | "write";
  now: () => Date;
}

/** Which sessions a question is about, by what it says of other projects. */
export function scopeOf(
  { folder }: Pick<McpContext, "folder">,
  { everywhere }: { everywhere: boolean },
): Pick<SessionFilter, "folder"> {
  return everywhere || folder === undefined ? {} : { folder };
}

export function masked<T>({ mask }: Pick<McpContext, "mask">, value: T): Promise<T> {
  return mask ? mask.mask(value) : Promise.resolve(value);
}
