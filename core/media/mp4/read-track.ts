import { fourCharacters } from '../boxes.ts';
import type { ReadAt } from '../read-at.ts';
import { readInBlocks } from '../read-in-blocks.ts';
import { applyEdit, type EditedSamples, readEditList, type Samples } from './edit-list.ts';
import { type BoxAt, findBoxes } from './find-boxes.ts';
import {
  compositionOffsets,
  decodingTimes,
  markSyncSamples,
  sampleSizes,
  samplesEnd,
} from './sample-table.ts';

/** The samples of a track in decoding order, as ffmpeg reads them. Times are in ticks of the track's time scale. */
export type Mp4Track = EditedSamples &
  Samples & {
    sizeOf: (sample: number) => number;
    durationOf: (sample: number) => number;
  };

/** Twelve hours at 120 frames per second are 5 million. Arrays of more take memory that no video needs. */
const maxSamples = 12_000_000;
/** The table of sizes of so many samples. */
const maxTableBytes = 8 * maxSamples;

/**
 * Reads the index of one track of an MP4 or MOV by ranges: no sample is read. Undefined for a file whose packets only
 * ffmpeg can tell: fragments, several edits, tables that contradict each other, samples beyond the end of the file.
 *
 * @param trackId as in the track's header; ffprobe prints it as the id of the stream
 */
export async function readMp4Track(
  readFile: ReadAt,
  { sizeBytes, trackId }: { sizeBytes: number; trackId: number },
): Promise<Mp4Track | undefined> {
  const readAt = readInBlocks(readFile);
  const top = await findBoxes(readAt, { start: 0, end: sizeBytes });
  const movie = await childrenOf(readAt, only(top, 'moov'));
  if (movie === undefined || movie.some(({ type }) => type === 'mvex')) return undefined;
  const header = await contentOf(readAt, only(movie, 'mvhd'));
  const movieTimescale = header && fieldAfterTimes(header);
  if (!movieTimescale) return undefined;
  for (const box of movie.filter(({ type }) => type === 'trak')) {
    const track = await childrenOf(readAt, box);
    const trackHeader = await contentOf(readAt, only(track, 'tkhd'));
    if (trackHeader === undefined || fieldAfterTimes(trackHeader) !== trackId) continue;
    return readTrack(readAt, { track, movieTimescale, sizeBytes });
  }
  return undefined;
}

async function readTrack(
  readAt: ReadAt,
  {
    track,
    movieTimescale,
    sizeBytes,
  }: { track: BoxAt[] | undefined; movieTimescale: number; sizeBytes: number },
): Promise<Mp4Track | undefined> {
  const media = await childrenOf(readAt, only(track, 'mdia'));
  const handler = await contentOf(readAt, only(media, 'hdlr'));
  const mediaHeader = await contentOf(readAt, only(media, 'mdhd'));
  const timescale = mediaHeader && fieldAfterTimes(mediaHeader);
  if (!timescale || handler === undefined || handler.byteLength < 12) return undefined;
  if (fourCharacters(handler, 8) !== 'vide') return undefined;
  const table = await childrenOf(readAt, only(await childrenOf(readAt, only(media, 'minf')), 'stbl'));
  const read = (type: string) => contentOf(readAt, only(table, type));
  // Groups of random access points add keyframes.
  if (table === undefined || table.some(({ type }) => type === 'sbgp' || type === 'stps')) return undefined;

  const sizes = ifSome(await read('stsz'), sampleSizes);
  if (sizes === undefined || sizes.samples === 0 || sizes.samples > maxSamples) return undefined;
  const { samples, sizeOf } = sizes;
  const times = ifSome(await read('stts'), (view) => decodingTimes(view, samples));
  const isKeyframe = await readKeyframes(read, samples);
  const offsets = ifSome(await read('ctts'), (view) => compositionOffsets(view, samples));
  if (times === undefined || isKeyframe === undefined) return undefined;
  if (offsets === undefined && only(table, 'ctts') !== undefined) return undefined;
  const isLong = only(table, 'co64') !== undefined;
  const [chunkOffsets, samplesPerChunk] = [await read(isLong ? 'co64' : 'stco'), await read('stsc')];
  if (chunkOffsets === undefined || samplesPerChunk === undefined) return undefined;
  const end = samplesEnd({ chunkOffsets, isLong, samplesPerChunk }, sizes);
  if (end === undefined || end > sizeBytes) return undefined;

  const indexed = { ...times, offsets, isKeyframe, sizeOf };
  if (only(track, 'edts') === undefined) {
    return { ...indexed, first: 0, end: samples, shiftTicks: 0, isShown: () => true };
  }
  const editList = await contentOf(readAt, only(await childrenOf(readAt, only(track, 'edts')), 'elst'));
  const edit = ifSome(editList, (view) => readEditList(view, { timescale, movieTimescale }));
  const edited = ifSome(edit, (found) => applyEdit(indexed, found));
  return edited && { ...indexed, ...edited };
}

/** Without `stss` every sample is a keyframe. */
async function readKeyframes(
  read: (type: string) => Promise<DataView | undefined>,
  samples: number,
): Promise<((sample: number) => boolean) | undefined> {
  const table = await read('stss');
  if (table === undefined) return () => true;
  const marks = new Uint8Array(samples);
  if (!markSyncSamples(table, marks) || !marks.includes(1)) return undefined;
  return (sample) => marks[sample] === 1;
}

/** The box of this type; undefined if there is none or more than one. */
function only(boxes: readonly BoxAt[] | undefined, type: string): BoxAt | undefined {
  const found = (boxes ?? []).filter((box) => box.type === type);
  return found.length === 1 ? found[0] : undefined;
}

async function childrenOf(readAt: ReadAt, box: BoxAt | undefined): Promise<BoxAt[] | undefined> {
  return box && findBoxes(readAt, box);
}

async function contentOf(readAt: ReadAt, box: BoxAt | undefined): Promise<DataView | undefined> {
  if (box === undefined || box.end - box.start > maxTableBytes) return undefined;
  const bytes = await readAt(box.start, box.end - box.start);
  if (bytes.length !== box.end - box.start) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function ifSome<Value, Result>(value: Value | undefined, use: (value: Value) => Result): Result | undefined {
  return value === undefined ? undefined : use(value);
}

/** The field after both times: the time scale of `mvhd` and `mdhd`, the track id of `tkhd`. */
function fieldAfterTimes(header: DataView): number | undefined {
  if (header.byteLength < 24) return undefined;
  return header.getUint32(header.getUint8(0) === 1 ? 20 : 12);
}
