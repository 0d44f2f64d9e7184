// Compares a reader's answer with what a case expects, field by field.

/**
 * `wrong`: fields that differ, with both values. `unanswered`: fields that the reader does not
 * give at all, which is no mistake.
 */
export function compareAnswers(expected, answer) {
  const result = { wrong: [], unanswered: [] };
  for (const [field, wanted] of Object.entries(expected)) {
    if (answer[field] === undefined) result.unanswered.push(field);
    else if (field === "sessions") compareSessions(wanted, answer[field], result);
    else compareField(field, wanted, answer[field], result);
  }
  return result;
}

function compareSessions(wanted, got, result) {
  const ids = new Set([...wanted, ...got].map(({ id }) => String(id)));
  for (const id of ids) {
    const mine = wanted.find((session) => session.id === id);
    const theirs = got.find((session) => session.id === id);
    if (!mine || !theirs) {
      const told = theirs ? "is not expected" : "is missing";
      result.wrong.push({ field: `session ${id}`, wanted: mine ?? null, got: told });
      continue;
    }
    for (const [field, value] of Object.entries(mine)) {
      const name = `session ${id}: ${field}`;
      if (theirs[field] === undefined) result.unanswered.push(name);
      else compareField(name, value, theirs[field], result);
    }
  }
}

// oxlint-disable-next-line max-params -- a name, two values and where to put the verdict
function compareField(field, wanted, got, result) {
  if (canonical(wanted) !== canonical(got)) result.wrong.push({ field, wanted, got });
}

/** The same text for the same value, whatever the order of keys. */
function canonical(value) {
  return JSON.stringify(value, (_key, part) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
