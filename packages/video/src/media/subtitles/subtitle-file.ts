/** Bytes in which the first line with text is searched. */
const headBytes = 1000;

/** The first line with text of an SRT file without index numbers: the timing of a cue. */
const firstTiming = /^(?:\xef\xbb\xbf)?\s*(?=\d{1,3}:\d\d:\d\d[,.]\d{1,3} *--> *\d)/;

/**
 * A subtitle file in the form that ffmpeg detects, or the same bytes. ffmpeg knows UTF-16 by its byte order mark only, and of
 * WebVTT not even so; it knows SRT by the index number of the first cue, which players do not need.
 */
export function detectableSubtitles(file: Uint8Array): Uint8Array {
  const encoding = utf16Of(file);
  const bytes = encoding ? new TextEncoder().encode(new TextDecoder(encoding).decode(file)) : file;
  // One character for each byte: text in another encoding is left for ffmpeg to reject.
  const beforeTiming = firstTiming.exec(String.fromCodePoint(...bytes.subarray(0, headBytes)))?.[0];
  return beforeTiming === undefined ? bytes : withIndexNumber(bytes.subarray(beforeTiming.length));
}

function withIndexNumber(bytes: Uint8Array): Uint8Array {
  const number = new TextEncoder().encode('1\n');
  const numbered = new Uint8Array(number.length + bytes.length);
  numbered.set(number);
  numbered.set(bytes, number.length);
  return numbered;
}

/** Without a byte order mark: a subtitle file begins with two characters of ASCII, of which UTF-16 has every other byte 0. */
function utf16Of([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((a === 0xff && b === 0xfe && (c || d)) || (a && b === 0 && c && d === 0)) return 'utf-16le';
  return (a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d) ? 'utf-16be' : undefined;
}
