/**
 * A text as the value of a filter's option in a filter graph. It is read twice: as an option, which a colon would end,
 * and as part of a graph, which brackets and commas would divide.
 */
export function escapeFilterValue(text: string): string {
  return text.replace(/[\\':]/g, '\\$&').replace(/[\\'[\],;]/g, '\\$&');
}
