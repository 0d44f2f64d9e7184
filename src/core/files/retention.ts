/** How long an agent keeps its own sessions under one root. */
export interface Retention {
  isEnabled: boolean;
  maxAgeDays?: number;
  /** Sessions kept per project; older ones are deleted regardless of age. */
  maxSessions?: number;
  /** Only subagents' files are deleted; sessions are kept. */
  isSubagentsOnly?: boolean;
  /** The clean-up uses the file's modification time, not the times in its records. */
  isByFileTime?: boolean;
  /** Origin of this setting: a settings file, or the default of current versions. */
  from: string;
}
