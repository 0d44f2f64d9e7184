# The riders' dashboard.

file src/forecast.js:
  const HOUR = 3600e3;
  const seen = new Map();

  export async function forecast(town) {
    const answer = await fetch(`/api/forecast/${town}`);
    return answer.json();
  }

== 2026-11-13T17:20:44 | 2.1.312 | claude-opus-5-5
title: Ask for each forecast once an hour
you: The dashboard asks the weather service 40 times a minute. Once an hour per town is enough.
model: The answer can be kept per town for an hour:
think: Cache | A map of promises, so that two views asking at once share one request.
tool Read: {"file_path": "src/forecast.js"}
tool Edit: {"file_path": "src/forecast.js"}
old:
    const answer = await fetch(`/api/forecast/${town}`);
    return answer.json();
new:
    const known = seen.get(town);
    if (known && Date.now() - known.at < HOUR) return known.answer;
    const answer = fetch(`/api/forecast/${town}`).then((reply) => reply.json());
    seen.set(town, { at: Date.now(), answer });
    return answer;
model: Each town is asked once an hour now, also when two views want it at the same moment: they share the promise.
you: and if the service is down?
model: Then the failed promise would stay for an hour. One line forgets it:
tool mcp__weather__status: {"service": "forecast"}
out:
  {"service":"forecast","status":"degraded","since":"2026-11-13T16:58:00Z"}
tool Edit: {"file_path": "src/forecast.js"}
old:
    seen.set(town, { at: Date.now(), answer });
new:
    seen.set(town, { at: Date.now(), answer });
    answer.catch(() => seen.delete(town));
model: A failure is forgotten at once, so the next view tries again. By the way: the service says it is degraded since 16:58, which may be why you saw so many requests.
