type Reference = { name: string; index: number };

/**
 * Finds the filenames in each format, and escapes a URL that replaces one. The owner of a storage provider can put any text
 * in the place of a playlist: each search takes time in proportion to the length of the text.
 */
const syntaxes = {
  m3u8: { find: findInLines, escapeUrl: (url: string) => url },
  mpd: {
    find: (text: string) => findAll(text, /(?<=<BaseURL>)[^<]*/g),
    escapeUrl: (url: string) => url.replaceAll('&', '&amp;'),
  },
  vtt: {
    // A region of an image (Media Fragments URI 1.0).
    find: (text: string) => findAll(text, /^[^\s#]+(?=#xywh=\d+,\d+,\d+,\d+$)/gm),
    escapeUrl: (url: string) => url,
  },
};

/** Formats that refer to other files: HLS and DASH manifests, and the VTT file of a sprite. */
export type ReferencingFormat = keyof typeof syntaxes;

// A file in the same folder: no path, scheme, host or percent-encoding.
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** A name for an error message: a line of a foreign text may have megabytes. */
export const shortenName = (name: string) => name.slice(0, 100);

export function canReferenceFiles(format: string): format is ReferencingFormat {
  return Object.hasOwn(syntaxes, format);
}

/** Every filename that a document refers to, in order, with repetitions. */
export function* eachReference(text: string, format: ReferencingFormat): Generator<string> {
  for (const { name } of syntaxes[format].find(text)) yield name;
}

/**
 * The distinct filenames that a document refers to.
 * @throws RangeError for a reference that is not a plain filename
 */
export function findReferences(text: string, format: ReferencingFormat): string[] {
  const names = new Set<string>();
  for (const name of eachReference(text, format)) {
    if (!plainName.test(name))
      throw new RangeError(`Expected the name of a file in the same folder, found ${shortenName(name)}`);
    names.add(name);
  }
  return [...names];
}

/**
 * Replaces each filename by its URL.
 * @throws RangeError for a filename without a URL
 */
export function replaceReferences(text: string, format: ReferencingFormat, urls: ReadonlyMap<string, string>): string {
  const { find, escapeUrl } = syntaxes[format];
  let replaced = '';
  let end = 0;
  for (const { name, index } of find(text)) {
    const url = urls.get(name);
    if (url === undefined) throw new RangeError(`There is no URL for ${shortenName(name)}`);
    replaced += text.slice(end, index) + escapeUrl(url);
    end = index + name.length;
  }
  return replaced + text.slice(end);
}

/** The document with the plain names of its files, without the queries that make them URLs. */
export function removeQueries(text: string, format: ReferencingFormat): string {
  const urls = [...eachReference(text, format)];
  return replaceReferences(text, format, new Map(urls.map((url) => [url, url.replace(/\?.*$/, '')])));
}

/**
 * The URI attribute of a tag, or a line that is not a tag (RFC 8216, section 4). The URI of a key names no file of the job.
 */
function* findInLines(text: string): Generator<Reference> {
  for (const { name: line, index } of findAll(text, /[^\r\n]+/g)) {
    if (!line.startsWith('#')) yield { name: line, index };
    else if (/^#EXT(?!-X-(?:SESSION-)?KEY:)/.test(line)) {
      for (const { 0: found, 1: name = '', index: start } of line.matchAll(/\bURI="([^"]*)/g))
        yield { name, index: index + start + found.length - name.length };
    }
  }
}

function* findAll(text: string, pattern: RegExp): Generator<Reference> {
  for (const { 0: name, index } of text.matchAll(pattern)) yield { name, index };
}
