import { boxAt, fourCharacters, headerOf, type ReadAt, readBoxes, viewOf } from '../boxes.ts';

/** A track of a movie. */
export type Track = {
  id: number;
  /** What it shows: `vide`, `soun`. */
  kind: string;
  /** Of `trak`. */
  content: DataView;
};

/** A track with its clocks. */
export type TimedTrack = Track & {
  /** Ticks per second of the track, and of the movie. */
  timescale: number;
  movieTimescale: number;
};

/** Twelve hours at 120 frames per second are 5 million. Arrays of more take memory that no video needs. */
export const maxSamples = 12_000_000;

/** Two tables of so many samples, with eight bytes for each. */
const maxMovieBytes = 16 * maxSamples;

/** More tracks than ffmpeg opens, and more boxes beside `moov` than any file has. A hostile one may have millions. */
const maxBoxes = 1000;

/** The track with this id. Undefined for a movie in fragments, and for one that lacks a box. */
export async function findTrack(
  readAt: ReadAt,
  { sizeBytes, trackId }: { sizeBytes: number; trackId: number },
): Promise<TimedTrack | undefined> {
  const movie = (await findMovie(readAt, sizeBytes))?.content;
  if (movie === undefined || readBoxes(movie).some(({ type }) => type === 'mvex')) return undefined;
  const track = tracksOf(movie).find(({ id }) => id === trackId);
  const movieTimescale = movieTimescaleOf(movie);
  const timescale = track && fieldAfterTimes(boxAt(track.content, 'mdia', 'mdhd'));
  return track && movieTimescale && timescale ? { ...track, timescale, movieTimescale } : undefined;
}

/** The tracks in the content of a `moov`, in the order of the file. One without an id or a handler is left out. */
export function tracksOf(movie: DataView): Track[] {
  const tracks = readBoxes(movie).filter(({ type }) => type === 'trak');
  return tracks.slice(0, maxBoxes).flatMap(({ content }) => {
    const id = fieldAfterTimes(boxAt(content, 'tkhd'));
    const handler = boxAt(content, 'mdia', 'hdlr');
    if (id === undefined || handler === undefined || handler.byteLength < 12) return [];
    return { id, kind: fourCharacters(handler, 8), content };
  });
}

/** The content of a box of a track's sample table, such as `stsz`. */
export function tableOf({ content }: Pick<Track, 'content'>, type: string): DataView | undefined {
  return boxAt(content, 'mdia', 'minf', 'stbl', type);
}

/** The ticks per second of the edits of a movie. */
export function movieTimescaleOf(movie: DataView): number | undefined {
  return fieldAfterTimes(boxAt(movie, 'mvhd'));
}

/** The field after both times: the time scale of `mvhd` and `mdhd`, the track id of `tkhd`. */
function fieldAfterTimes(header: DataView | undefined): number | undefined {
  if (header === undefined || header.byteLength < 24) return undefined;
  return header.getUint32(header.getUint8(0) === 1 ? 20 : 12);
}

/** A box of a file that is read in parts: the positions of its content. */
export type BoxAt = { type: string; start: number; end: number };

/** The content of the first `moov` of a file, and its position. Undefined if the file has none that is whole. */
export async function findMovie(
  readAt: ReadAt,
  sizeBytes: number,
): Promise<{ content: DataView; start: number } | undefined> {
  for (let [count, offset] = [0, 0]; count < maxBoxes && offset + 8 <= sizeBytes; count += 1) {
    const box = await boxHeaderAt(readAt, { start: offset, end: sizeBytes });
    if (box === undefined || box.end > sizeBytes) return undefined;
    if (box.type === 'moov') {
      const content = await contentOf(readAt, box);
      return content && { content, start: box.start };
    }
    offset = box.end;
  }
  return undefined;
}

/** The bytes of a box without its header; undefined if it is missing, cut off or larger than `maxBytes`. */
export async function contentOf(
  readAt: ReadAt,
  box: BoxAt | undefined,
  maxBytes = maxMovieBytes,
): Promise<DataView | undefined> {
  if (box === undefined || box.end - box.start > maxBytes) return undefined;
  const bytes = await readAt(box.start, box.end - box.start);
  return bytes.length === box.end - box.start ? viewOf(bytes) : undefined;
}

/** The box that begins at `start`, which may reach beyond `end`. Undefined without a whole header. */
export async function boxHeaderAt(
  readAt: ReadAt,
  { start, end }: Pick<BoxAt, 'start' | 'end'>,
): Promise<BoxAt | undefined> {
  const bytes = await readAt(start, Math.min(16, end - start));
  const header = bytes.length < 8 ? undefined : headerOf(viewOf(bytes), 0, end - start);
  return header && { type: header.type, start: start + header.headerBytes, end: start + header.sizeBytes };
}
