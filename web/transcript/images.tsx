import type { RawEntries } from "../answers.ts";
import { useAnswer } from "../ask.ts";

/** Formats that are pictures and nothing else. */
const SHOWN = /^image\/(png|jpeg|gif|webp)$/;
const MOST_DEEP = 12;

/** Images that were sent along, from the bytes of the record itself. */
export function Images({ sessionId, messageId }: { sessionId: string; messageId: string }) {
  const id = encodeURIComponent(sessionId);
  const path = `/api/sessions/${id}/entries/${encodeURIComponent(messageId)}`;
  const { value } = useAnswer<RawEntries>(path, "sessions");
  const images = imagesIn(parsed(value?.entries[0]?.text), 0);
  return (
    <div class="images">
      {images.map((source, at) => (
        <img key={at} src={source} alt={`Image ${at + 1} sent along`} loading="lazy" />
      ))}
    </div>
  );
}

function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    // Damaged or cut: then there is no image to show.
    return null;
  }
}

/** `{"inlineData":{"mimeType":"image/png","data":"iVBOR…"}}`, wherever it stands. */
function imagesIn(value: unknown, depth: number): string[] {
  if (typeof value !== "object" || value === null || depth > MOST_DEEP) return [];
  const { mimeType, data } = value as { mimeType?: unknown; data?: unknown };
  if (typeof mimeType === "string" && typeof data === "string" && SHOWN.test(mimeType)) {
    return [`data:${mimeType};base64,${data.replace(/[^A-Za-z0-9+/=]/g, "")}`];
  }
  return Object.values(value).flatMap((item) => imagesIn(item, depth + 1));
}
