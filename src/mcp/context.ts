import type { SessionFilter } from "../core/filter/filter.ts";
import type { Library } from "../library/library.ts";
import type { SecretMask } from "../queries/redaction/secret-mask.ts";

/** Context of every tool, resource and prompt. */
export interface McpContext {
  library: Library;
  /** The directory of the agent's project; absent: all projects. */
  folder?: string;
  /** Absent if masking was switched off explicitly. */
  mask?: Pick<SecretMask, "mask">;
  /** `write`: sessions may be starred, tagged and annotated. */
  access?: "read" | "write";
  now: () => Date;
}

/** The session filter: the agent's project, or everywhere. */
export function scopeOf(
  { folder }: Pick<McpContext, "folder">,
  { everywhere }: { everywhere: boolean },
): Pick<SessionFilter, "folder"> {
  return everywhere || folder === undefined ? {} : { folder };
}

export function masked<T>({ mask }: Pick<McpContext, "mask">, value: T): Promise<T> {
  return mask ? mask.mask(value) : Promise.resolve(value);
}
