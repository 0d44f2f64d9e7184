import type { RecordedMessage } from "../../core/session/message.ts";
import { optional } from "../../core/optional.ts";
import type { ByteSource } from "../../kernel/bytes.ts";
import { asName } from "../decoding/fields.ts";
import { parseJsonText } from "../decoding/parse.ts";
import { savedChatIn } from "../decoding/saved-chat.ts";
import type { SavedChatAbility } from "../source.ts";
import { formatOf, lookAt } from "./formats/index.ts";

export function savedChatsOf(source: string): SavedChatAbility {
  return {
    read(file, bytes, report) {
      const messages: RecordedMessage[] = [];
      const format = formatOf(lookAt(bytes));
      if (format?.name === "saved-chat") {
        format.read(bytes, {
          report,
          entry: (entry) => {
            if (entry.kind === "message") messages.push(entry.message);
          },
        });
      } else {
        const message = "The file is not a saved chat.";
        report({ code: "unknown-format", severity: "damage", message, file: file.path });
      }
      const authType = optional("authType", authTypeOf(bytes));
      return { ...savedChatIn(file, { source }), ...authType, messages };
    },
  };
}

/** `{"history": […], "authType": "…"}` (0.16+): the field is at the end of the document. */
function authTypeOf(bytes: ByteSource): string | undefined {
  let tail = "";
  for (const chunk of bytes.chunks()) tail = chunk.subarray(-200).toString("utf8");
  const match = /"authType"\s*:\s*("[^"]*")\s*\}\s*$/.exec(tail);
  const parsed = parseJsonText(match?.[1] ?? "");
  return parsed.isJson ? asName(parsed.value) : undefined;
}
