import type { ReadAt } from '../read-at.ts';
import { readInBlocks } from '../read-in-blocks.ts';
import { readEditList } from './edit-list.ts';
import { childrenOf, contentOf, findTrack, maxSamples, only } from './find-track.ts';
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
 *
 * @param trackId as in the track's header; ffprobe prints it as the id of the stream
 */
export async function readMp4AudioTrack(
  readFile: ReadAt,
  file: { sizeBytes: number; trackId: number },
): Promise<Mp4AudioTrack | undefined> {
  const readAt = readInBlocks(readFile);
  const found = await findTrack(readAt, file);
  if (found?.kind !== 'soun') return undefined;
  const { boxes, table, timescale } = found;
  const [sizeTable, timeTable] = [
    await contentOf(readAt, only(table, 'stsz')),
    await contentOf(readAt, only(table, 'stts')),
  ];
  const sizes = sizeTable && sampleSizes(sizeTable);
  if (sizes === undefined || timeTable === undefined || sizes.samples === 0 || sizes.samples > maxSamples)
    return undefined;
  const { samples, sizeOf } = sizes;
  const times = decodingTimes(timeTable, samples);
  const list = await contentOf(readAt, only(await childrenOf(readAt, only(boxes, 'edts')), 'elst'));
  const edit = list === undefined ? { emptyTicks: 0, mediaTime: 0 } : readEditList(list, found);
  if (times === undefined || edit === undefined) return undefined;
  let sizeBytes = 0;
  for (let sample = 0; sample < samples; sample += 1) sizeBytes += sizeOf(sample);
  const startTicks = edit.emptyTicks - edit.mediaTime;
  const durationTicks = (times.dts.at(-1) ?? 0) + times.durationOf(samples - 1);
  return { timescale, packets: samples, sizeBytes, startTicks, endTicks: startTicks + durationTicks };
}
