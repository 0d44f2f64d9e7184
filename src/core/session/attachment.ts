/** An image, sound or file of a message or a tool's result; its bytes stay in the record. */
export interface Attachment {
  mediaType: string;
  sizeBytes?: number;
  uri?: string;
  /** Base64; present only if the session was read in full. */
  data?: string;
}
