/** Keeps the last `limitBytes` of a text that arrives in pieces, cut at the start of a line. */
export function logTail(limitBytes: number): { add(chunk: Buffer): void; text(): string } {
  let kept: Buffer = Buffer.alloc(0);
  let isCut = false;
  return {
    add(chunk) {
      const all = Buffer.concat([kept, chunk]);
      isCut ||= all.length > limitBytes;
      kept = all.subarray(Math.max(0, all.length - limitBytes));
    },
    text() {
      const text = kept.toString('utf8');
      return isCut ? text.slice(text.indexOf('\n') + 1) : text;
    },
  };
}
