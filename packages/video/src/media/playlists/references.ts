import { JobError } from '../../errors.ts';
import { durationToleranceSeconds } from '../frame-rate.ts';

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

/** The distinct filenames in a document. @throws RangeError for a reference that is not a plain filename */
export function findReferences(text: string, format: ReferencingFormat): string[] {
  const names = new Set<string>();
  for (const name of eachReference(text, format)) {
    if (!plainName.test(name))
      throw new RangeError(`Expected the name of a file in the same folder, found ${shortenName(name)}`);
    names.add(name);
  }
  return [...names];
}

/** Replaces each filename by its URL. @throws RangeError for a filename without a URL */
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

/** The URI of a tag, or a line that is not a tag (RFC 8216, section 4). The URI of a key names no file of the job. */
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

type PlaylistExpectation = {
  format: ReferencingFormat;
  outputFilenames: readonly string[];
  /** Undefined for a master playlist, which declares no duration. */
  durationSeconds?: number | undefined;
};

/**
 * Checks that every file a playlist refers to is an output, and that its duration is as planned.
 * @throws JobError `TRANSCODE_ERROR` that names the difference
 */
export function verifyPlaylist(
  text: string,
  { format, outputFilenames, durationSeconds: planned }: PlaylistExpectation,
): void {
  const names = findReferences(text, format);
  if (names.length === 0) reject('refers to no file');
  const missing = names.find((name) => !outputFilenames.includes(name));
  if (missing !== undefined) reject(`refers to ${missing}, which is not an output`);
  if (planned === undefined) return;
  const found = readPlaylistSeconds(text, format) ?? 0;
  if (Math.abs(found - planned) <= durationToleranceSeconds(planned)) return;
  reject(`lasts ${found.toFixed(2)} s; expected ${planned.toFixed(2)} s`);
}

/** The duration that a playlist declares, in seconds; undefined if it declares none. */
export function readPlaylistSeconds(text: string, format: ReferencingFormat): number | undefined {
  switch (format) {
    case 'm3u8': {
      const durations = [...text.matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, seconds]) => Number(seconds));
      return durations.length === 0 ? undefined : durations.reduce((sum, seconds) => sum + seconds);
    }
    case 'mpd':
      return timestampSeconds(
        /\bmediaPresentationDuration="PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?"/.exec(text) ?? undefined,
      );
    case 'vtt':
      return timestampSeconds([...text.matchAll(/ --> (\d+):(\d\d):(\d\d\.\d{3})$/gm)].at(-1));
  }
}

function timestampSeconds(found: RegExpExecArray | undefined): number | undefined {
  if (found === undefined) return undefined;
  const [, hours = 0, minutes = 0, seconds = 0] = found;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function reject(problem: string): never {
  throw new JobError('TRANSCODE_ERROR', `The finished playlist ${problem}`);
}
