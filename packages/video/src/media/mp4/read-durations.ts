import type { ReadAt } from '../read-at.ts';
import { findAudioTrack } from './find-audio-track.ts';
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
 */
export async function readMp4Durations(
  readFile: ReadAt,
  file: { sizeBytes: number; trackId: number },
): Promise<Mp4Durations | undefined> {
  const found = await findAudioTrack(readFile, file);
  if (found === undefined) return undefined;
  const { timescale, times, edit } = found;
  const durations = sampleDurations(times);
  if (durations === undefined) return undefined;
  const { samples, sampleTicks } = durations;
  const totalTicks = Math.min(samples * sampleTicks, edit?.durationTicks ?? Number.POSITIVE_INFINITY);
  return { timescale, sampleTicks, totalTicks };
}
