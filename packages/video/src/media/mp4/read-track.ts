import { boxAt, type ReadAt, readBoxes, readInBlocks } from '../boxes.ts';
import { applyEdit, type Edit, type EditedSamples, readEditList, type Samples } from './edit-list.ts';
import { findTrack, maxSamples, type TimedTrack, tableOf } from './find-track.ts';
import { decodingTimes, readPositions, readSampleTables, type SamplePositions, sampleSizes } from './sample-table.ts';

/** The samples of a track in decoding order, as ffmpeg reads them. Times are in ticks of the track's time scale. */
export type Mp4Track = EditedSamples &
  Samples & { sizeOf: (sample: number) => number; durationOf: (sample: number) => number };

/**
 * Reads the index of a track by ranges, without a sample. Undefined where only ffmpeg can list the packets: fragments,
 * several edits, tables that contradict each other, samples beyond the end. `trackId` is ffprobe's id of the stream.
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
  const located = readPositions((type) => tableOf(track, type), samples);
  if (located === undefined || endOf(located, tables.sizeOf) > sizeBytes) return undefined;

  const indexed = { ...sampled, isKeyframe: (sample: number) => keyframes === undefined || keyframes[sample] === 1 };
  if (boxAt(track.content, 'edts') === undefined) {
    return { ...indexed, first: 0, end: samples, shiftTicks: 0, isShown: () => true };
  }
  const list = boxAt(track.content, 'edts', 'elst');
  const edit = list && readEditList(list, track);
  const edited = edit && applyEdit(indexed, edit);
  return edited && { ...indexed, ...edited };
}

function endOf({ positions, counts }: SamplePositions, sizeOf: (sample: number) => number): number {
  let [sample, end] = [0, 0];
  for (const [chunk, count] of counts.entries()) {
    let position = positions[chunk] ?? 0;
    for (const last = sample + count; sample < last; sample += 1) position += sizeOf(sample);
    end = Math.max(end, position);
  }
  return end;
}

/** Packets, their bytes and the playback range of an audio stream, by the container's clock. Encoder delay lies before 0. */
export type AudioRange = { packets: number; sizeBytes: number; startSeconds: number; endSeconds: number };

/**
 * Reads the index of an audio track of an MP4 or MOV by ranges. Undefined for fragments, several edits and tables that
 * contradict each other.
 */
export async function readMp4AudioTrack(
  readFile: ReadAt,
  file: { sizeBytes: number; trackId: number },
): Promise<AudioRange | undefined> {
  const found = await findAudioTrack(readFile, file);
  if (found === undefined) return undefined;
  const table = tableOf(found, 'stsz');
  const sizes = table && sampleSizes(table);
  if (sizes === undefined || sizes.samples === 0 || sizes.samples > maxSamples) return undefined;
  const { timescale, edit = { emptyTicks: 0, mediaTime: 0 } } = found;
  const { samples, sizeOf } = sizes;
  const times = decodingTimes(found.times, samples);
  if (times === undefined) return undefined;
  let sizeBytes = 0;
  for (let sample = 0; sample < samples; sample += 1) sizeBytes += sizeOf(sample);
  const startTicks = edit.emptyTicks - edit.mediaTime;
  const durationTicks = (times.dts.at(-1) ?? 0) + times.durationOf(samples - 1);
  const [startSeconds, endSeconds] = [startTicks / timescale, (startTicks + durationTicks) / timescale];
  return { packets: samples, sizeBytes, startSeconds, endSeconds };
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
