import type { ReadAt } from '../boxes.ts';
import { mediaOfTracks, only } from '../mp4/find-track.ts';
import { type Element, readElements } from './ebml.ts';
import type { Probe, Stream } from './probe.ts';

/** More than a header has, whose codec configurations are small. */
const maxHeaderBytes = 1_000_000;

/**
 * Adds the tags of BCP 47 (RFC 5646) that Matroska (RFC 9559, `LanguageBCP47`) and MP4 (ISO 14496-12, `elng`) state for
 * tracks, which ffprobe does not print. A file whose tracks are not those of ffprobe keeps its probe.
 * @param readAt reads small ranges near each other
 */
export async function withStatedLanguages(
  probe: Probe,
  { readAt, sizeBytes }: { readAt: ReadAt; sizeBytes: number },
): Promise<Probe> {
  const languages: (string | typeof isDefault | undefined)[] = probe.container.includes('matroska')
    ? await matroskaLanguages(readAt, sizeBytes)
    : probe.container.includes('mp4')
      ? await mp4Languages(readAt, sizeBytes)
      : [];
  const tracks = probe.streams.filter((stream) => stream.kind !== 'attachment' && !isCover(stream));
  if (languages.length !== tracks.length) return probe;
  const streams = probe.streams.map((stream) => {
    const language = languages[tracks.indexOf(stream)];
    if (language === isDefault) return { ...stream, languageGuess: 'English is the default of Matroska' };
    const languageTag = canonicalTag(language) ?? stream.languageTag;
    return languageTag === undefined ? stream : { ...stream, languageTag };
  });
  return { ...probe, streams };
}

/** Of a track for which the file states no language. */
const isDefault = Symbol('default language');

/** The canonical form of a tag of BCP 47. Undefined for another text, and for the tag of an unknown language. */
export function canonicalTag(text: string | undefined): string | undefined {
  // Longer codes of languages are reserved: they are names.
  if (text === undefined || !/^[a-z]{2,3}(-|$)/i.test(text)) return undefined;
  try {
    const [tag] = Intl.getCanonicalLocales(text);
    return tag === 'und' ? undefined : tag;
  } catch {
    return undefined;
  }
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** The tag that a text seems to mean which is none: `en_US`, or the English name of a language. */
export function guessTag(text: string): string | undefined {
  const tag = canonicalTag(text.replaceAll('_', '-'));
  if (tag !== undefined) return tag;
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  return codes.find((code) => languageNames.of(code)?.toLowerCase() === text.trim().toLowerCase());
}

/** ffprobe shows cover images as streams, which are no tracks of the file. */
function isCover(stream: Stream): boolean {
  return stream.kind === 'video' && stream.isAttachedPicture;
}

// biome-ignore format: a table
export const matroskaIds = {
  segment: 0x18538067, tracks: 0x1654ae6b, cluster: 0x1f43b675, entry: 0xae, checksum: 0xbf, code: 0x22b59c, language: 0x22b59d,
};

/** For each track of Matroska in the order of the file. Empty if its header comes behind the frames. */
async function matroskaLanguages(
  readAt: ReadAt,
  sizeBytes: number,
): Promise<(string | typeof isDefault | undefined)[]> {
  const languages: (string | typeof isDefault | undefined)[] = [];
  for (const elements of (await matroskaTracks(readAt, sizeBytes)).entries) {
    const found = elements.find(({ id }) => id === matroskaIds.language);
    const isStated = found !== undefined || elements.some(({ id }) => id === matroskaIds.code);
    languages.push(found ? await textAt(readAt, found) : isStated ? undefined : isDefault);
  }
  return languages;
}

/**
 * The elements of each track of Matroska in the order of the file, and the CRC-32 (RFC 8794, 11.3.1) of the bytes from its own
 * end to `end`. No entries if the tracks come behind the frames.
 */
export async function matroskaTracks(
  readAt: ReadAt,
  sizeBytes: number,
): Promise<{ entries: Element[][]; checksum?: Element | undefined; end: number }> {
  const read = async (parent: Pick<Element, 'start' | 'end'>, last: number[]) => {
    const bytes = (offset: number) => readAt(offset, Math.min(16, parent.end - offset));
    return readElements(bytes, parent, last);
  };
  const { segment: segmentId, tracks: tracksId, cluster } = matroskaIds;
  const none = { entries: [], end: 0 };
  const [segment] = (await read({ start: 0, end: sizeBytes }, [segmentId])).slice(-1);
  if (segment?.id !== segmentId) return none;
  const [tracks] = (await read(segment, [tracksId, cluster])).slice(-1);
  if (tracks?.id !== tracksId || tracks.end - tracks.start > maxHeaderBytes) return none;
  const elements = await read(tracks, []);
  const entries: Element[][] = [];
  for (const { id, ...entry } of elements) if (id === matroskaIds.entry) entries.push(await read(entry, []));
  return { entries, checksum: elements.find(({ id }) => id === matroskaIds.checksum), end: tracks.end };
}

/** For each track of MP4 or MOV in the order of the file. */
async function mp4Languages(readAt: ReadAt, sizeBytes: number): Promise<(string | undefined)[]> {
  const languages: (string | undefined)[] = [];
  for (const media of await mediaOfTracks(readAt, sizeBytes)) {
    const language = only(media, 'elng');
    // Behind the version and the flags.
    languages.push(language && (await textAt(readAt, { ...language, start: language.start + 4 })));
  }
  return languages;
}

export async function textAt(readAt: ReadAt, { start, end }: { start: number; end: number }): Promise<string> {
  const bytes = await readAt(start, Math.min(64, end - start));
  return Buffer.from(bytes).toString('latin1').replace(/\0.*$/s, '');
}
