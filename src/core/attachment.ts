/** An image, a sound or a file sent along; its bytes stay in the record. */
export interface Attachment {
  mediaType: string;
  sizeBytes?: number;
  uri?: string;
  /** Base64; only when the session was read in full. */
  data?: string;
}
