/**
 * Arabic letter mark, left-to-right mark and right-to-left mark. Hebrew and Arabic names contain them, and the letters
 * alone give nearly the same order. They are dropped, not kept: between neutral characters they can swap a name with its
 * extension.
 */
const directionMarks = String.raw`\u061c\u200e\u200f`;

/** Embeddings, overrides and isolates, which can reorder letters, so that a name displays as another. */
const directionControls = String.raw`\u202a-\u202e\u2066-\u2069`;

/** Marks and controls of the direction of text; inside a class of a RegExp. */
export const directionCharacters = directionMarks + directionControls;

const marks = new RegExp(`[${directionMarks}]`, 'gu');
const controls = new RegExp(String.raw`[${directionControls}]|(?![\t\n\r])\p{Cc}`, 'gu');

/**
 * Makes untrusted text safe to show: drops direction marks, and replaces direction controls and control characters
 * except tab and line breaks.
 *
 * @param replacement by default U+FFFD, so that a reader sees that something was there
 */
export function replaceUnsafeCharacters(text: string, replacement = '\ufffd'): string {
  return text.replaceAll(marks, '').replaceAll(controls, replacement);
}
