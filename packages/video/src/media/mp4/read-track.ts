import { type ReadAt, readInBlocks } from '../read-at.ts';
import { applyEdit, type EditedSamples, readEditList, type Samples } from './edit-list.ts';
import { childrenOf, contentOf, findTrack, maxSamples, only, type TrackBoxes } from './find-track.ts';
import { compositionOffsets, decodingTimes, markSyncSamples, sampleSizes, samplesEnd } from './sample-table.ts';

/** The samples of a track in decoding order, as ffmpeg reads them. Times are in ticks of the track's time scale. */
export type Mp4Track = EditedSamples &
  Samples & {
    sizeOf: (sample: number) => number;
    durationOf: (sample: number) => number;
  };

/**
 * Reads the index of one track of an MP4 or MOV by ranges: no sample is read. Undefined for a file whose packets only
 * ffmpeg can list: fragments, several edits, tables that contradict each other, samples beyond the end of the file.
 *
 * @param trackId as in the track's header; ffprobe prints it as the id of the stream
 */
export async function readMp4Track(
  readFile: ReadAt,
  { sizeBytes, trackId }: { sizeBytes: number; trackId: number },
): Promise<Mp4Track | undefined> {
  const readAt = readInBlocks(readFile);
  const found = await findTrack(readAt, { sizeBytes, trackId });
  return found?.kind === 'vide' ? readTrack(readAt, { ...found, sizeBytes }) : undefined;
}

async function readTrack(
  readAt: ReadAt,
  { boxes, table, timescale, movieTimescale, sizeBytes }: TrackBoxes & { sizeBytes: number },
): Promise<Mp4Track | undefined> {
  const read = (type: string) => contentOf(readAt, only(table, type));
  // Groups of random access points add keyframes.
  if (table.some(({ type }) => type === 'sbgp' || type === 'stps')) return undefined;

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
  if (only(boxes, 'edts') === undefined) {
    return { ...indexed, first: 0, end: samples, shiftTicks: 0, isShown: () => true };
  }
  const editList = await contentOf(readAt, only(await childrenOf(readAt, only(boxes, 'edts')), 'elst'));
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

function ifSome<Value, Result>(value: Value | undefined, use: (value: Value) => Result): Result | undefined {
  return value === undefined ? undefined : use(value);
}
