import { boxAt, type ReadAt, readBoxes, readInBlocks } from '../boxes.ts';
import { findTrack, maxSamples, type TimedTrack, tableOf } from './find-track.ts';
import {
  applyEdit,
  decodingTimes,
  type Edit,
  type EditedSamples,
  readEditList,
  readSampleTables,
  type Samples,
  sampleSizes,
  samplesEnd,
} from './sample-table.ts';

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
  const found = await findTrack(readInBlocks(readFile), { sizeBytes, trackId });
  return found?.kind === 'vide' ? readTrack(found, sizeBytes) : undefined;
}

function readTrack(track: TimedTrack, sizeBytes: number): Mp4Track | undefined {
  // Groups of random access points add keyframes.
  const table = boxAt(track.content, 'mdia', 'minf', 'stbl');
  if (table === undefined || readBoxes(table).some(({ type }) => type === 'sbgp' || type === 'stps')) return undefined;

  const tables = readSampleTables((type) => tableOf(track, type));
  if (tables === undefined || tables.keyframes?.includes(1) === false) return undefined;
  const { samples, keyframes, ...sampled } = tables;
  const long = tableOf(track, 'co64');
  const [chunkOffsets, samplesPerChunk] = [long ?? tableOf(track, 'stco'), tableOf(track, 'stsc')];
  if (chunkOffsets === undefined || samplesPerChunk === undefined) return undefined;
  const end = samplesEnd({ chunkOffsets, isLong: long !== undefined, samplesPerChunk }, tables);
  if (end === undefined || end > sizeBytes) return undefined;

  const indexed = { ...sampled, isKeyframe: (sample: number) => keyframes === undefined || keyframes[sample] === 1 };
  if (boxAt(track.content, 'edts') === undefined) {
    return { ...indexed, first: 0, end: samples, shiftTicks: 0, isShown: () => true };
  }
  const edit = ifSome(boxAt(track.content, 'edts', 'elst'), (view) => readEditList(view, track));
  const edited = ifSome(edit, (found) => applyEdit(indexed, found));
  return edited && { ...indexed, ...edited };
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
  const sizes = ifSome(tableOf(found, 'stsz'), sampleSizes);
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

export type AudioTrackBoxes = TimedTrack & { times: DataView; edit: Edit | undefined };

/**
 * Finds an audio track of an MP4 or MOV. Undefined for another kind of track, for fragments and for several edits.
 *
 * @param trackId as in the track's header; ffprobe prints it as the id of the stream
 */
export async function findAudioTrack(
  readFile: ReadAt,
  file: { sizeBytes: number; trackId: number },
): Promise<AudioTrackBoxes | undefined> {
  const found = await findTrack(readInBlocks(readFile), file);
  const times = found?.kind === 'soun' ? tableOf(found, 'stts') : undefined;
  if (found === undefined || times === undefined) return undefined;
  const list = boxAt(found.content, 'edts', 'elst');
  const edit = list && readEditList(list, found);
  return list !== undefined && edit === undefined ? undefined : { ...found, times, edit };
}
