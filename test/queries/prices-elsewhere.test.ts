import { expect, test } from "vitest";
import { PriceBook } from "../../src/queries/prices/prices.ts";

const book = new PriceBook();

test.each([
  ["us.anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1"],
  ["global.anthropic.claude-opus-4-8", "claude-opus-4-8"],
  ["anthropic.claude-opus-4-6-v1[1m]", "claude-opus-4-6"],
  ["arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-5", "claude-opus-5"],
  ["claude-opus-4-1@20250805", "claude-opus-4-1"],
  ["glm-4.6", "glm-4.6"],
  ["z-ai/glm-5.1", "glm-5.1"],
  ["MiniMax-M2", "minimax-m2"],
])("has the vendor's price for %s", (model, pricedAs) => {
  expect(book.priceOf({ model, atMs: undefined })).toMatchObject({ pricedAs });
});
