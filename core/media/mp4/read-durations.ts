import type { ReadAt } from '../read-at.ts';
import { readInBlocks } from '../read-in-blocks.ts';
import { readEditList } from './edit-list.ts';
import { childrenOf, contentOf, findTrack, only } from './find-track.ts';
import { sampleDurations } from './sample-table.ts';

/** The samples of an audio track, of one length each. Times are in ticks of the track's time scale. */
export type Mp4Durations = {
  /** Ticks per second. */
  timescale: number;
  /** Of every sample but the last, which may be shorter. */
  sampleTicks: number;
  /** Of the track, as far as it is played. */
  totalTicks: number;
};

/**
 * Reads how long the samples of an audio track of an MP4 or MOV are, by ranges. Undefined where they differ, and for
 * fragments and several edits.
 *
 * @param trackId as in the track's header; ffprobe prints it as the id of the stream
 */
export async function readMp4Durations(
  readFile: ReadAt,
  file: { sizeBytes: number; trackId: number },
): Promise<Mp4Durations | undefined> {
  const readAt = readInBlocks(readFile);
  const found = await findTrack(readAt, file);
  if (found?.kind !== 'soun') return undefined;
  const { boxes, table, timescale } = found;
  const times = await contentOf(readAt, only(table, 'stts'));
  const durations = times && sampleDurations(times);
  if (durations === undefined) return undefined;
  const { samples, sampleTicks } = durations;
  const totalTicks = samples * sampleTicks;
  if (only(boxes, 'edts') === undefined) return { timescale, sampleTicks, totalTicks };
  const list = await contentOf(readAt, only(await childrenOf(readAt, only(boxes, 'edts')), 'elst'));
  const edit = list && readEditList(list, found);
  return edit && { timescale, sampleTicks, totalTicks: Math.min(totalTicks, edit.durationTicks) };
}
