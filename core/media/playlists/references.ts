/** Matches the filenames in each format, and escapes a URL that replaces one. */
const syntaxes = {
  // The URI attribute of a tag, or a line that is not a tag (RFC 8216, section 4). The URI of a key names no file of the job.
  m3u8: {
    names: /(?<=^#EXT(?!-X-(?:SESSION-)?KEY:)[^\n]*\bURI=")[^"\n]*|^[^#\s][^\r\n]*/gm,
    escapeUrl: (url: string) => url,
  },
  mpd: { names: /(?<=<BaseURL>)[^<]*/g, escapeUrl: (url: string) => url.replaceAll('&', '&amp;') },
  // A region of an image (Media Fragments URI 1.0).
  vtt: { names: /^[^\s#]+(?=#xywh=\d+,\d+,\d+,\d+$)/gm, escapeUrl: (url: string) => url },
};

/** Formats that refer to other files: HLS and DASH manifests, and the VTT file of a sprite. */
export type ReferencingFormat = keyof typeof syntaxes;

// A file in the same folder: no path, scheme, host or percent-encoding.
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export function canReferenceFiles(format: string): format is ReferencingFormat {
  return Object.hasOwn(syntaxes, format);
}

/** Every filename that a document refers to, in order, with repetitions. */
export function* eachReference(text: string, format: ReferencingFormat): Generator<string> {
  for (const [name] of text.matchAll(syntaxes[format].names)) yield name;
}

/**
 * The distinct filenames that a document refers to.
 * @throws RangeError for a reference that is not a plain filename
 */
export function findReferences(text: string, format: ReferencingFormat): string[] {
  const names = text.match(syntaxes[format].names) ?? [];
  for (const name of names) {
    if (!plainName.test(name))
      throw new RangeError(`Expected the name of a file in the same folder, found ${name}`);
  }
  return [...new Set(names)];
}

/**
 * Replaces each filename by its URL.
 * @throws RangeError for a filename without a URL
 */
export function replaceReferences(
  text: string,
  format: ReferencingFormat,
  urls: ReadonlyMap<string, string>,
): string {
  const { names, escapeUrl } = syntaxes[format];
  return text.replace(names, (name) => {
    const url = urls.get(name);
    if (url === undefined) throw new RangeError(`There is no URL for ${name}`);
    return escapeUrl(url);
  });
}
