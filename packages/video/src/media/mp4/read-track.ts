import { type ReadAt, readInBlocks } from '../boxes.ts';
import { applyEdit, type Edit, type EditedSamples, readEditList, type Samples } from './edit-list.ts';
import { childrenOf, contentOf, findTrack, maxSamples, only, type TrackBoxes } from './find-track.ts';
import { compositionOffsets, decodingTimes, markSyncSamples, sampleSizes, samplesEnd } from './sample-table.ts';

/** The samples of a track in decoding order, as ffmpeg reads them. Times are in ticks of the track's time scale. */
export type Mp4Track = EditedSamples &
  Samples & { sizeOf: (sample: number) => number; durationOf: (sample: number) => number };

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

/** The packets of an audio track. Times are in ticks; encoder delay lies before 0. */
export type Mp4AudioTrack = {
  timescale: number;
  packets: number;
  sizeBytes: number;
  startTicks: number;
  endTicks: number;
};

/**
 * Reads the index of an audio track of an MP4 or MOV by ranges. Undefined for fragments, several edits and tables that
 * contradict each other.
 */
export async function readMp4AudioTrack(
  readFile: ReadAt,
  file: { sizeBytes: number; trackId: number },
): Promise<Mp4AudioTrack | undefined> {
  const found = await findAudioTrack(readFile, file);
  if (found === undefined) return undefined;
  const sizeTable = await contentOf(found.readAt, only(found.table, 'stsz'));
  const sizes = sizeTable && sampleSizes(sizeTable);
  if (sizes === undefined || sizes.samples === 0 || sizes.samples > maxSamples) return undefined;
  const { timescale, edit = { emptyTicks: 0, mediaTime: 0 } } = found;
  const { samples, sizeOf } = sizes;
  const times = decodingTimes(found.times, samples);
  if (times === undefined) return undefined;
  let sizeBytes = 0;
  for (let sample = 0; sample < samples; sample += 1) sizeBytes += sizeOf(sample);
  const startTicks = edit.emptyTicks - edit.mediaTime;
  const durationTicks = (times.dts.at(-1) ?? 0) + times.durationOf(samples - 1);
  return { timescale, packets: samples, sizeBytes, startTicks, endTicks: startTicks + durationTicks };
}

/** An audio track: its boxes, the content of its `stts`, and its edit, if it has one. */
export type AudioTrackBoxes = TrackBoxes & { readAt: ReadAt; times: DataView; edit: Edit | undefined };

/**
 * Finds the boxes of an audio track of an MP4 or MOV by ranges. Undefined for another kind of track, for fragments and for
 * several edits.
 *
 * @param trackId as in the track's header; ffprobe prints it as the id of the stream
 */
export async function findAudioTrack(
  readFile: ReadAt,
  file: { sizeBytes: number; trackId: number },
): Promise<AudioTrackBoxes | undefined> {
  const readAt = readInBlocks(readFile);
  const found = await findTrack(readAt, file);
  if (found?.kind !== 'soun') return undefined;
  const times = await contentOf(readAt, only(found.table, 'stts'));
  if (times === undefined) return undefined;
  const list = await contentOf(readAt, only(await childrenOf(readAt, only(found.boxes, 'edts')), 'elst'));
  const edit = list && readEditList(list, found);
  return list !== undefined && edit === undefined ? undefined : { ...found, readAt, times, edit };
}
