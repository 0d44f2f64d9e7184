import type { Message } from "../core/session/message.ts";
import type { BucketTokens } from "../core/usage/usage-fact.ts";
import { cacheWriteOf, promptOf } from "../core/usage/usage-facts.ts";

type Values = Record<string, unknown>;

/**
 * The messages since the last reply; earlier history is in earlier spans.
 *
 *     [{"role":"user","parts":[{"type":"text","content":"…"}]}]
 */
export function inputAttributes(heard: readonly Message[]): Values {
  const messages = heard.flatMap((message) =>
    message.author === "model" ? responses(message) : prompts(message),
  );
  if (messages.length === 0) return {};
  return {
    "gen_ai.input.messages": messages.map(({ role, parts }) => ({ role, parts })),
    ...flattened("llm.input_messages", messages),
    "input.value": messages.map(({ text }) => text).join("\n"),
  };
}

interface ChatMessage {
  role: string;
  parts: object[];
  text: string;
  callId?: string;
}

function prompts({ text }: Message): ChatMessage[] {
  if (text.trim() === "") return [];
  return [{ role: "user", parts: [{ type: "text", content: text }], text }];
}

function responses({ toolCalls }: Message): ChatMessage[] {
  return toolCalls.flatMap(({ id, output }): ChatMessage[] => {
    if (output === undefined) return [];
    const parts = [{ type: "tool_call_response", id, response: output }];
    return [{ role: "tool", parts, text: output, callId: id }];
  });
}

function flattened(prefix: string, messages: readonly ChatMessage[]): Values {
  const pairs = messages.flatMap(({ role, text, callId }, index): [string, unknown][] => [
    [`${prefix}.${index}.message.role`, role],
    [`${prefix}.${index}.message.content`, text],
    [`${prefix}.${index}.message.tool_call_id`, callId],
  ]);
  return Object.fromEntries(pairs);
}

export function outputAttributes(message: Message): Values {
  const { text, toolCalls } = message;
  const thoughts = message.thoughts.map(({ subject, description }) => {
    const content = subject === "" ? description : `**${subject}** ${description}`;
    return { type: "reasoning", content };
  });
  const said = text === "" ? [] : [{ type: "text", content: text }];
  const calls = toolCalls.map(({ id, name, args }) => {
    return { type: "tool_call", id, name, arguments: args };
  });
  const finish = calls.length > 0 ? "tool_call" : "stop";
  const parts = [...thoughts, ...said, ...calls];
  const prefix = "llm.output_messages.0.message";
  return {
    "gen_ai.output.messages": [{ role: "assistant", parts, finish_reason: finish }],
    [`${prefix}.role`]: "assistant",
    [`${prefix}.content`]: text,
    ...Object.fromEntries(
      toolCalls.flatMap(({ id, name, args }, index) => {
        const call = `${prefix}.tool_calls.${index}.tool_call`;
        return [
          [`${call}.id`, id],
          [`${call}.function.name`, name],
          [`${call}.function.arguments`, JSON.stringify(args)],
        ];
      }),
    ),
    "output.value": text,
  };
}

/** In both conventions, cached tokens are part of the input and thoughts part of the output. */
export function usageAttributes(fact: BucketTokens): Values {
  const input = promptOf(fact);
  const output = fact.output + (fact.thoughts ?? 0);
  const cached = fact.cached ?? undefined;
  const cacheWrite = cacheWriteOf(fact) ?? undefined;
  const thoughts = fact.thoughts ?? undefined;
  return {
    "gen_ai.usage.input_tokens": input,
    "gen_ai.usage.output_tokens": output,
    "gen_ai.usage.cache_read.input_tokens": cached,
    "gen_ai.usage.cache_creation.input_tokens": cacheWrite,
    "gen_ai.usage.reasoning.output_tokens": thoughts,
    "llm.token_count.prompt": input,
    "llm.token_count.completion": output,
    "llm.token_count.total": fact.total,
    "llm.token_count.prompt_details.cache_read": cached,
    "llm.token_count.prompt_details.cache_write": cacheWrite,
    "llm.token_count.completion_details.reasoning": thoughts,
  };
}
