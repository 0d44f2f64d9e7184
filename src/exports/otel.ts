import type { Export } from "./export.ts";
import { compactJson } from "./json-text.ts";
import { attributes } from "./otel-attributes.ts";
import { spansOf } from "./otel-spans.ts";

/**
 * OpenTelemetry traces (OTLP in JSON): one trace per session, with the attributes of the GenAI
 * conventions and of OpenInference. A collector accepts it at `/v1/traces`.
 */
export const otel: Export = {
  name: "otel",
  title: "OpenTelemetry traces (OTLP JSON) with GenAI and OpenInference keys",
  mediaType: "application/json",
  extension: "otlp.json",
  subject: "sessions",
  hasAgentsInside: true,
  async *write({ sessions, redaction }) {
    let isFirst = true;
    yield `{"resourceSpans":[`;
    for await (const exported of sessions) {
      const { session, agent } = exported;
      const resource = { attributes: attributes({ "service.name": agent.id }) };
      const scope = { name: "pollux", attributes: attributes({ "session.id": session.id }) };
      yield `${isFirst ? "" : ","}\n{"resource":${compactJson(resource)},"scopeSpans":[{`;
      yield `"scope":${compactJson(scope)},"spans":[`;
      isFirst = false;
      let separator = "\n";
      for (const span of spansOf(exported, redaction)) {
        yield `${separator}${compactJson(span)}`;
        separator = ",\n";
      }
      yield "\n]}]}";
    }
    yield "\n]}\n";
  },
};
