import { fourCharacters, type ReadAt } from '../boxes.ts';

/** The boxes of one track of a movie. */
export type TrackBoxes = {
  boxes: readonly BoxAt[];
  /** Of `stbl`. */
  table: readonly BoxAt[];
  /** What the track shows: `vide`, `soun`. */
  kind: string;
  /** Ticks per second of the track, and of the movie. */
  timescale: number;
  movieTimescale: number;
};

/** Twelve hours at 120 frames per second are 5 million. Arrays of more take memory that no video needs. */
export const maxSamples = 12_000_000;
/** The table of sizes of so many samples. */
const maxTableBytes = 8 * maxSamples;

/** The boxes of the track with this id. Undefined for a movie in fragments, and for one that lacks a box. */
export async function findTrack(
  readAt: ReadAt,
  { sizeBytes, trackId }: { sizeBytes: number; trackId: number },
): Promise<TrackBoxes | undefined> {
  const movie = await movieOf(readAt, sizeBytes);
  if (movie === undefined || movie.some(({ type }) => type === 'mvex')) return undefined;
  const header = await contentOf(readAt, only(movie, 'mvhd'));
  const movieTimescale = header && fieldAfterTimes(header);
  if (!movieTimescale) return undefined;
  for (const box of movie.filter(({ type }) => type === 'trak')) {
    const boxes = await childrenOf(readAt, box);
    const trackHeader = await contentOf(readAt, only(boxes, 'tkhd'));
    if (boxes === undefined || trackHeader === undefined) continue;
    if (fieldAfterTimes(trackHeader) === trackId) return readMedia(readAt, { boxes, movieTimescale });
  }
  return undefined;
}

async function readMedia(
  readAt: ReadAt,
  track: Pick<TrackBoxes, 'boxes' | 'movieTimescale'>,
): Promise<TrackBoxes | undefined> {
  const media = await childrenOf(readAt, only(track.boxes, 'mdia'));
  const kind = await kindOf(readAt, media);
  const mediaHeader = await contentOf(readAt, only(media, 'mdhd'));
  const timescale = mediaHeader && fieldAfterTimes(mediaHeader);
  if (!timescale || kind === undefined) return undefined;
  const table = await sampleTableOf(readAt, media);
  return table && { ...track, table, kind, timescale };
}

async function movieOf(readAt: ReadAt, sizeBytes: number): Promise<BoxAt[] | undefined> {
  const last = (await findBoxes(readAt, { start: 0, end: sizeBytes }, 'moov'))?.at(-1);
  return last?.type === 'moov' ? childrenOf(readAt, last) : undefined;
}

/** The boxes of `mdia` of each track in the order of the file; undefined for a track without it. Empty without a movie. */
export async function mediaOfTracks(readAt: ReadAt, sizeBytes: number): Promise<(BoxAt[] | undefined)[]> {
  const tracks = (await movieOf(readAt, sizeBytes))?.filter(({ type }) => type === 'trak') ?? [];
  const media: (BoxAt[] | undefined)[] = [];
  for (const track of tracks) {
    media.push(await childrenOf(readAt, only(await childrenOf(readAt, track), 'mdia')));
  }
  return media;
}

/** What a track shows, by the boxes of its `mdia`: `vide`, `soun`. */
export async function kindOf(readAt: ReadAt, media: readonly BoxAt[] | undefined): Promise<string | undefined> {
  const handler = await contentOf(readAt, only(media, 'hdlr'));
  return handler && handler.byteLength >= 12 ? fourCharacters(handler, 8) : undefined;
}

/** The boxes of `stbl` of a track, by those of its `mdia`. */
export async function sampleTableOf(readAt: ReadAt, media: readonly BoxAt[] | undefined): Promise<BoxAt[] | undefined> {
  return childrenOf(readAt, only(await childrenOf(readAt, only(media, 'minf')), 'stbl'));
}

/** The box `stsd` of a track, by those of its `mdia`: the first one of `stbl`, whose other boxes are large. */
export async function descriptionOf(readAt: ReadAt, media: readonly BoxAt[] | undefined): Promise<BoxAt | undefined> {
  const table = only(await childrenOf(readAt, only(media, 'minf')), 'stbl');
  const last = table && (await findBoxes(readAt, table, 'stsd'))?.at(-1);
  return last?.type === 'stsd' ? last : undefined;
}

/** The box of this type; undefined if there is none or more than one. */
export function only(boxes: readonly BoxAt[] | undefined, type: string): BoxAt | undefined {
  const found = (boxes ?? []).filter((box) => box.type === type);
  return found.length === 1 ? found[0] : undefined;
}

export async function childrenOf(readAt: ReadAt, box: BoxAt | undefined): Promise<BoxAt[] | undefined> {
  return box && findBoxes(readAt, box);
}

/** The bytes of a box without its header; undefined if it is missing, cut off or larger than any table. */
export async function contentOf(readAt: ReadAt, box: BoxAt | undefined): Promise<DataView | undefined> {
  if (box === undefined || box.end - box.start > maxTableBytes) return undefined;
  const bytes = await readAt(box.start, box.end - box.start);
  if (bytes.length !== box.end - box.start) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The field after both times: the time scale of `mvhd` and `mdhd`, the track id of `tkhd`. */
function fieldAfterTimes(header: DataView): number | undefined {
  if (header.byteLength < 24) return undefined;
  return header.getUint32(header.getUint8(0) === 1 ? 20 : 12);
}

/** A box of a file that is read in parts: the positions of its content. */
export type BoxAt = { type: string; start: number; end: number };

/** More than any real file has beside each other. A hostile one may consist of nothing but empty boxes. */
const maxBoxes = 1000;

/** The boxes from `start` to `end`, or as far as the first of type `last`, by their headers alone. Undefined if they are not whole or too many. */
export async function findBoxes(
  readAt: ReadAt,
  { start, end }: Pick<BoxAt, 'start' | 'end'>,
  last?: string,
): Promise<BoxAt[] | undefined> {
  const boxes: BoxAt[] = [];
  let offset = start;
  while (offset + 8 <= end) {
    const box = boxes.length === maxBoxes ? undefined : await boxHeaderAt(readAt, { start: offset, end });
    if (box === undefined || box.end > end) return undefined;
    boxes.push(box);
    if (box.type === last) break;
    offset = box.end;
  }
  return boxes;
}

/** The box that begins at `start`, which may reach beyond `end`. Undefined without a whole header. */
export async function boxHeaderAt(
  readAt: ReadAt,
  { start, end }: Pick<BoxAt, 'start' | 'end'>,
): Promise<BoxAt | undefined> {
  const bytes = await readAt(start, Math.min(16, end - start));
  if (bytes.length < 8) return undefined;
  return boxAt(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), { start, end });
}

function boxAt(header: DataView, { start, end }: Pick<BoxAt, 'start' | 'end'>): BoxAt | undefined {
  const type = fourCharacters(header, 4);
  const short = header.getUint32(0);
  if (short === 0) return { type, start: start + 8, end };
  if (short !== 1) return short < 8 ? undefined : { type, start: start + 8, end: start + short };
  if (header.byteLength < 16) return undefined;
  const size = Number(header.getBigUint64(8));
  return size < 16 ? undefined : { type, start: start + 16, end: start + size };
}
