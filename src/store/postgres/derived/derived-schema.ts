import { partitioned, PERSON } from "../kept-schema.ts";

/** Counts of a paid reply, as float8 like JavaScript's numbers. */
const TOKENS = `input float8 NOT NULL,
  fresh float8 NOT NULL,
  cached float8,
  cache_write_5m float8,
  cache_write_1h float8,
  output float8 NOT NULL,
  thoughts float8,
  tool float8,
  total float8 NOT NULL,
  web_searches float8`;

/**
 * The derived half: everything read from the kept bytes. It can be deleted at any time and is
 * rebuilt. A change needs no migration, only a new `DERIVED_VERSION`.
 *
 *     readings     how each file was read (replaced contents have their negated number as id)
 *     sessions     one row per session: columns to filter and sort by, the rest as JSON;
 *                  `work` follows with the texts
 *     replies      every paid reply of every session; `owner` is the session that a copy counts in
 *     record_keys  which sessions hold a reply or a tool call, to find its copies
 *     buckets      owned replies, summed by quarter of an hour and everything a price depends on
 *     tool_calls   every tool call, with the same ownership; tool_files are the files they touched
 *     texts        the words of messages, split into parts that fit into a tsvector
 *
 * Large tables are partitioned by `session`: 64 bits of the digest of source and id, and the first
 * column of every key. Keys also contain the person. JSON is stored as text, because `jsonb` cannot
 * hold every text that occurs in sessions.
 */
export const DERIVED_SCHEMA: string = `
CREATE TABLE readings (
  file int8 PRIMARY KEY,
  ${PERSON},
  root int4 NOT NULL,
  path text COLLATE "C" NOT NULL,
  content int8 NOT NULL,
  size_bytes float8 NOT NULL,
  format text NOT NULL,
  generation text NOT NULL,
  is_read bool NOT NULL,
  keys text[] NOT NULL,
  session_ids text[] NOT NULL,
  diagnostics text
);
CREATE INDEX readings_by_key ON readings USING gin (keys);
CREATE SEQUENCE IF NOT EXISTS revisions;
CREATE TABLE sessions (
  session int8 NOT NULL,
  ${PERSON},
  source text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  ledger_name text NOT NULL,
  kind text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  project_name text COLLATE "C" NOT NULL,
  project_path text COLLATE "C",
  project_hash text COLLATE "C",
  project_answer text NOT NULL,
  name_sorted text COLLATE "C" NOT NULL,
  name_folded text COLLATE "C" NOT NULL,
  path_folded text COLLATE "C" NOT NULL,
  models text[] COLLATE "C" NOT NULL,
  title text COLLATE "C",
  title_sorted text COLLATE "C",
  started_at text,
  started_ms int8,
  first_ms int8,
  last_ms int8,
  newest int8 NOT NULL,
  prompts int8 NOT NULL,
  recorded_tokens float8,
  tokens float8,
  own_usage text,
  copy_rank int2 NOT NULL,
  recorded_parent text COLLATE "C",
  recorded_call text,
  parent text COLLATE "C",
  parent_call text,
  top int8 NOT NULL,
  root text COLLATE "C" NOT NULL,
  generations text COLLATE "C" NOT NULL,
  has_origins bool NOT NULL,
  has_unrecorded bool NOT NULL,
  revision int8 NOT NULL DEFAULT nextval('revisions'),
  is_indexed bool NOT NULL,
  summary text NOT NULL,
  facts text NOT NULL,
  work text,
  PRIMARY KEY (session, person),
  UNIQUE (source, id, person)
);
CREATE INDEX sessions_by_id ON sessions (id);
CREATE INDEX sessions_by_time ON sessions (newest, id, source);
CREATE INDEX sessions_of_person ON sessions (person, newest, id, source);
CREATE INDEX sessions_of_parent ON sessions (parent) WHERE parent IS NOT NULL;
CREATE INDEX sessions_not_indexed ON sessions (newest) WHERE NOT is_indexed;
${partitioned(
  "session_files",
  "session",
  `session int8 NOT NULL,
  position int4 NOT NULL,
  path text COLLATE "C" NOT NULL,
  root text COLLATE "C" NOT NULL,
  part text COLLATE "C" NOT NULL,
  gone_since_ms float8,
  ${PERSON},
  PRIMARY KEY (session, position, person)`,
)}
CREATE INDEX ON session_files (root, session);
CREATE TABLE agent_calls (
  session int8 NOT NULL,
  position int4 NOT NULL,
  source text COLLATE "C" NOT NULL,
  agent text COLLATE "C" NOT NULL,
  call text NOT NULL,
  ${PERSON},
  PRIMARY KEY (session, position, person)
);
CREATE INDEX agent_calls_by_agent ON agent_calls (agent);
CREATE TABLE record_keys (
  key int8,
  session int8,
  ${PERSON},
  PRIMARY KEY (key, session, person)
);
${partitioned(
  "replies",
  "session",
  `session int8 NOT NULL,
  position int4 NOT NULL,
  key int8 NOT NULL,
  owner int8,
  reply text COLLATE "C" NOT NULL,
  message text COLLATE "C",
  ledger_key text COLLATE "C",
  at_ms int8,
  at_text text,
  time_ms int8,
  model int4,
  standing text COLLATE "C" NOT NULL,
  reason text,
  is_at_least bool,
  purpose text COLLATE "C",
  tier text COLLATE "C",
  root text COLLATE "C",
  file int4,
  file_path text,
  line int8 NOT NULL,
  start_byte int8 NOT NULL,
  end_byte int8 NOT NULL,
  ${TOKENS},
  remainder float8 NOT NULL,
  oddities text,
  tools text COLLATE "C",
  servers text COLLATE "C",
  ${PERSON},
  PRIMARY KEY (session, position, person)`,
)}
CREATE INDEX ON replies (owner) WHERE owner IS NOT NULL;
CREATE INDEX ON replies (session) WHERE oddities IS NOT NULL;
${partitioned(
  "buckets",
  "session",
  `session int8 NOT NULL,
  quarter int8,
  model int4,
  prompt_class int2 NOT NULL,
  tier text COLLATE "C",
  standing text COLLATE "C" NOT NULL,
  purpose text COLLATE "C",
  root text COLLATE "C",
  requests int4 NOT NULL,
  at_least int4 NOT NULL,
  odd int4 NOT NULL,
  ${TOKENS},
  ${PERSON}`,
)}
CREATE INDEX ON buckets (session);
CREATE INDEX ON buckets (quarter);
CREATE INDEX ON buckets (person, quarter);
${partitioned(
  "tool_calls",
  "session",
  `session int8 NOT NULL,
  position int4 NOT NULL,
  key int8 NOT NULL,
  owner int8,
  call text COLLATE "C" NOT NULL,
  at_ms int8,
  time_ms int8,
  tool int4 NOT NULL,
  outcome text,
  duration_ms float8,
  model int4,
  commands text[],
  ${PERSON},
  PRIMARY KEY (session, position, person)`,
)}
CREATE INDEX ON tool_calls (owner) WHERE owner IS NOT NULL;
${partitioned(
  "tool_files",
  "session",
  `session int8 NOT NULL,
  position int4 NOT NULL,
  call int4 NOT NULL,
  recorded text COLLATE "C" NOT NULL,
  path text COLLATE "C",
  how text NOT NULL,
  added_lines float8,
  removed_lines float8,
  ${PERSON},
  PRIMARY KEY (session, position, person)`,
)}
${partitioned(
  "texts",
  "session",
  `session int8 NOT NULL,
  piece int4 NOT NULL,
  part int4 NOT NULL,
  parts int4 NOT NULL,
  message text,
  role text NOT NULL,
  standing text NOT NULL,
  at_ms int8,
  newest int8 NOT NULL,
  places text,
  words tsvector NOT NULL,
  ${PERSON},
  PRIMARY KEY (session, piece, part, person)`,
)}
CREATE INDEX ON texts USING gin (words) WHERE parts = 1;
CREATE INDEX ON texts USING gin (words) WHERE parts > 1;
CREATE INDEX ON texts (newest);
CREATE INDEX ON texts (person, newest);
CREATE TABLE vocabulary (word text COLLATE "C" NOT NULL, ${PERSON}, PRIMARY KEY (word, person));
`;

/** Tables whose rows are replaced with their session. */
export const OF_SESSIONS = [
  "session_files",
  "agent_calls",
  "replies",
  "buckets",
  "tool_calls",
  "tool_files",
] as const;

export const DERIVED_TABLES: readonly string[] = [
  "readings",
  "sessions",
  "record_keys",
  ...OF_SESSIONS,
  "texts",
  "vocabulary",
];

/** Version of the schema above. */
export const DERIVED_VERSION = 6;
