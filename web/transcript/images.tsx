import type { RawEntries } from "../answers.ts";
import { useAnswer } from "../ask.ts";

/** Formats that can contain only pictures. */
const SHOWN = /^image\/(png|jpeg|gif|webp)$/;
const MOST_DEEP = 12;

/** Images attached to a message, from the bytes of its record. */
export function Images({ sessionId, messageId }: { sessionId: string; messageId: string }) {
  const id = encodeURIComponent(sessionId);
  const path = `/api/sessions/${id}/entries/${encodeURIComponent(messageId)}`;
  const { value } = useAnswer<RawEntries>(path, "sessions");
  const found = value?.entries.flatMap(({ text }) => imagesIn(parsed(text), 0)) ?? [];
  const images = [...new Set(found)];
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
    // Damaged or cut: no image to show.
    return null;
  }
}

const WHOLE = /^data:(image\/[a-z]+);base64,(.+)$/s;

/**
 * Finds `{"mimeType":"image/png","data":"iVBOR…"}`, `{"media_type":"image/png","data":"iVBOR…"}`
 * and `"data:image/png;base64,iVBOR…"` at any depth.
 */
function imagesIn(value: unknown, depth: number): string[] {
  if (typeof value === "string") {
    const [, mediaType = "", bytes = ""] = WHOLE.exec(value) ?? [];
    return imageOf(mediaType, bytes);
  }
  if (typeof value !== "object" || value === null || depth > MOST_DEEP) return [];
  const { mimeType, media_type: mediaType, data } = value as Record<string, unknown>;
  const type = mimeType ?? mediaType;
  if (typeof type === "string" && typeof data === "string") return imageOf(type, data);
  return Object.values(value).flatMap((item) => imagesIn(item, depth + 1));
}

function imageOf(mediaType: string, base64: string): string[] {
  if (!SHOWN.test(mediaType)) return [];
  return [`data:${mediaType};base64,${base64.replace(/[^A-Za-z0-9+/=]/g, "")}`];
}
