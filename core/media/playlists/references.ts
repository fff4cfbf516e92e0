/** Where each format has the names of other files, and how a URL is written in their place. */
const syntaxes = {
  // The URI of a tag, or a line that is no tag (RFC 8216 section 4).
  m3u8: { names: /(?<=^#EXT[^\n]*\bURI=")[^"\n]*|^[^#\s][^\r\n]*/gm, written: (url: string) => url },
  mpd: { names: /(?<=<BaseURL>)[^<]*/g, written: (url: string) => url.replaceAll('&', '&amp;') },
  // A part of a picture, as Media Fragments URI 1.0 names it.
  vtt: { names: /^[^\s#]+(?=#xywh=\d+,\d+,\d+,\d+$)/gm, written: (url: string) => url },
};

/** The formats whose files name others: playlists, and the list of a film's small pictures. */
export type ReferencingFormat = keyof typeof syntaxes;

// Of the same folder: no path, no scheme, no host, and nothing to decode.
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Whether files of that format may name others. */
export function canReferenceFiles(format: string): format is ReferencingFormat {
  return Object.hasOwn(syntaxes, format);
}

/**
 * The names of the files that a document refers to, each once.
 * @throws RangeError for a reference that is not the name of a file beside it
 */
export function findReferences(text: string, format: ReferencingFormat): string[] {
  const names = text.match(syntaxes[format].names) ?? [];
  for (const name of names) {
    if (!plainName.test(name)) throw new RangeError(`It refers to ${name}, which is no file beside it`);
  }
  return [...new Set(names)];
}

/**
 * The document with a URL in place of each name.
 * @throws RangeError for a name that has none
 */
export function replaceReferences(
  text: string,
  format: ReferencingFormat,
  urls: ReadonlyMap<string, string>,
): string {
  const { names, written } = syntaxes[format];
  return text.replace(names, (name) => {
    const url = urls.get(name);
    if (url === undefined) throw new RangeError(`There is no URL for ${name}`);
    return written(url);
  });
}
