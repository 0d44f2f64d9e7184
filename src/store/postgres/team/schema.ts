import { OPENED_SCHEMA } from "../kept-schema.ts";

/**
 * Tables of a team's store. One schema is one tenant; other tenants have their own schemas.
 *
 *     tenant       one row: the name, the policy for devices, the epoch of the store
 *     people       everyone who signs in or sends; `subject` is the id at the sign-in provider
 *     memberships  who was in which team, from when to when: moving a person rewrites no sums
 *     grants       roles in addition to developer, which everyone has
 *     devices      machines that may send, by the digests of their tokens
 *     codes        one-time codes that enrol a device
 *     opened       sessions that their owners share with others
 *     looks        every look of an auditor, to be shown to the person
 *     receipts     what was erased, and when
 */
export const TEAM_SCHEMA: string = `
CREATE TABLE tenant (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  policy text NOT NULL
);
CREATE TABLE people (
  id int4 PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  subject text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  left_ms float8,
  key bytea
);
CREATE TABLE teams (
  id int4 PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  name text COLLATE "C" NOT NULL UNIQUE
);
CREATE TABLE memberships (
  person int4 NOT NULL,
  team int4 NOT NULL,
  from_ms float8 NOT NULL,
  to_ms float8,
  PRIMARY KEY (person, team, from_ms)
);
CREATE TABLE grants (
  person int4 NOT NULL,
  role text NOT NULL,
  team int4 NOT NULL DEFAULT 0,
  PRIMARY KEY (person, role, team)
);
CREATE TABLE devices (
  id uuid PRIMARY KEY,
  person int4 NOT NULL,
  name text NOT NULL,
  token bytea NOT NULL UNIQUE,
  made_ms float8 NOT NULL,
  expires_ms float8 NOT NULL,
  seen_ms float8,
  revoked_ms float8
);
CREATE INDEX devices_of_person ON devices (person);
CREATE TABLE codes (
  digest bytea PRIMARY KEY,
  person int4 NOT NULL,
  expires_ms float8 NOT NULL,
  used_ms float8
);
CREATE TABLE looks (
  id int8 PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at_ms float8 NOT NULL,
  until_ms float8 NOT NULL,
  viewer int4 NOT NULL,
  person int4 NOT NULL,
  session int8 NOT NULL,
  source text NOT NULL,
  session_id text NOT NULL,
  reason text NOT NULL
);
CREATE INDEX looks_at_person ON looks (person);
${OPENED_SCHEMA}
CREATE TABLE receipts (
  id int8 PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at_ms float8 NOT NULL,
  kind text NOT NULL,
  by_person int4,
  person int4,
  counts text NOT NULL
);
`;
