const excerptBytes = 4_096;

/**
 * The beginning of an answer's body as text that is safe to store and show: at most 4 KiB of it, and U+FFFD for what
 * is not UTF-8 and for control characters other than tab and line breaks (a terminal or a log would obey them).
 */
export function responseExcerpt(body: Buffer): string {
  const start = body.subarray(0, excerptBytes);
  // In streaming mode a character that the cut has split is left out, not replaced.
  const text = new TextDecoder().decode(start, { stream: start.length < body.length });
  return text.replace(/[^\P{Cc}\t\n\r]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
