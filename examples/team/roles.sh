#!/bin/sh
# Run once, when the database is made: an owner that makes the team, a server that owns nothing.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set owner="$OWNER_PASSWORD" --set server="$SERVER_PASSWORD" <<'SQL'
CREATE ROLE owner LOGIN CREATEROLE PASSWORD :'owner';
CREATE ROLE server LOGIN PASSWORD :'server';
GRANT CREATE ON DATABASE sessions TO owner;
SQL
