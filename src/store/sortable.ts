/** Sort key of a text: lower case, and without NUL, which databases cannot store. */
export function sortable(text: string): string {
  return text.toLowerCase().replaceAll("\0", " ");
}
