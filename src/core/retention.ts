/** How long a program keeps its own sessions under one root. */
export interface Retention {
  isEnabled: boolean;
  maxAgeDays?: number;
  /** So many of a project stay; older ones are deleted, whatever their age. */
  maxSessions?: number;
  /** Sessions stay: only what subagents said is deleted. */
  isSubagentsOnly?: boolean;
  /** The clean-up goes by the time of the file, whatever its records tell. */
  isByFileTime?: boolean;
  /** Where the answer comes from: a settings file, or the default of current versions. */
  from: string;
}
