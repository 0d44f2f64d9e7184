/** What a list is ordered by: without capitals, and without NUL, which databases do not hold. */
export function sortable(text: string): string {
  return text.toLowerCase().replaceAll("\0", " ");
}
