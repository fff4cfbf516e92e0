import type { ReadAt } from '../boxes.ts';
import { type Element, readElements } from './ebml.ts';
import { isTimed } from './measured-duration.ts';
import type { Probe, Stream } from './probe.ts';

/** More than a header has, whose codec configurations are small. */
const maxHeaderBytes = 1_000_000;

/**
 * Adds the tags of BCP 47 that Matroska states for tracks (RFC 9559, `LanguageBCP47`), which ffprobe does not print. A file
 * whose tracks are not those of ffprobe keeps its probe.
 * @param readAt reads small ranges near each other
 */
export async function withMatroskaLanguages(
  probe: Probe,
  { readAt, sizeBytes }: { readAt: ReadAt; sizeBytes: number },
): Promise<Probe> {
  // None if the header comes behind the frames.
  const { entries } = await matroskaTracks(readAt, sizeBytes);
  const tracks = probe.streams.filter(isTimed);
  if (entries.length !== tracks.length) return probe;
  const stated = await Promise.all(entries.map((elements) => statedLanguage(readAt, elements)));
  return { ...probe, streams: probe.streams.map((stream) => ({ ...stream, ...stated[tracks.indexOf(stream)] })) };
}

async function statedLanguage(
  readAt: ReadAt,
  elements: readonly Element[],
): Promise<Pick<Stream, 'languageTag' | 'languageGuess'>> {
  const found = elements.find(({ id }) => id === matroskaIds.language);
  const languageTag = found && canonicalTag(await textAt(readAt, found));
  if (languageTag) return { languageTag };
  const isStated = found !== undefined || elements.some(({ id }) => id === matroskaIds.code);
  return isStated ? {} : { languageGuess: 'English is the default of Matroska' };
}

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

// biome-ignore format: a table
export const matroskaIds = {
  segment: 0x18538067, tracks: 0x1654ae6b, cluster: 0x1f43b675, entry: 0xae, checksum: 0xbf, code: 0x22b59c, language: 0x22b59d,
};

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

export async function textAt(readAt: ReadAt, { start, end }: { start: number; end: number }): Promise<string> {
  const bytes = await readAt(start, Math.min(64, end - start));
  return Buffer.from(bytes).toString('latin1').replace(/\0.*$/s, '');
}
