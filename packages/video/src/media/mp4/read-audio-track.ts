import { type ReadAt, readInBlocks } from '../read-at.ts';
import { type Edit, readEditList } from './edit-list.ts';
import { childrenOf, contentOf, findTrack, maxSamples, only, type TrackBoxes } from './find-track.ts';
import { decodingTimes, sampleSizes } from './sample-table.ts';

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
