/** An image, sound or file attached to a message; its bytes stay in the record. */
export interface Attachment {
  mediaType: string;
  sizeBytes?: number;
  uri?: string;
  /** Base64; present only if the session was read in full. */
  data?: string;
}
