/** Keeps the last `maxBytes` of a stream as text, cut at the start of a line. */
export function logTail(maxBytes: number): { add(chunk: Buffer): void; text(): string } {
  let kept: Buffer = Buffer.alloc(0);
  let isCut = false;
  return {
    add(chunk) {
      const all = Buffer.concat([kept, chunk]);
      isCut ||= all.length > maxBytes;
      kept = all.subarray(Math.max(0, all.length - maxBytes));
    },
    text() {
      const text = kept.toString('utf8');
      return isCut ? text.slice(text.indexOf('\n') + 1) : text;
    },
  };
}
