/** Which modules a module may import from, beside itself (docs/decisions/0024). */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: [],
  kernel: [],
  sources: ["core", "kernel"],
  store: ["core", "kernel", "sources"],
  ingest: ["sources", "store", "core", "kernel"],
  queries: ["core", "ingest"],
  records: ["core", "kernel", "sources"],
  exports: ["core", "queries", "records"],
  team: ["core", "kernel", "sources", "store", "ingest", "queries"],
  sync: ["core", "kernel", "store", "queries"],
  library: [
    "core",
    "kernel",
    "sources",
    "store",
    "ingest",
    "queries",
    "records",
    "exports",
    "team",
    "sync",
  ],
  cli: ["library", "core", "queries", "exports", "records", "kernel", "ingest", "sources"],
  server: ["library", "core", "queries", "exports", "kernel", "ingest", "sources", "team"],
  mcp: ["library", "core", "queries"],
  tui: ["library", "core", "queries", "ingest", "kernel"],
  web: [],
};
/** The doors take types from wherever they are declared. */
export const DOORS: ReadonlySet<string> = new Set(["cli", "tui", "server", "mcp"]);
