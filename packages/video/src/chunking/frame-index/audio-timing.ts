import { findAudioTrack } from '../../media/mp4/read-audio-track.ts';
import { sampleDurations } from '../../media/mp4/sample-table.ts';
import type { ReadAt } from '../../media/read-at.ts';

/** The frames of an audio stream, one after the other without gaps. */
export type AudioTiming = {
  /** Of each frame but the last, which may be shorter. */
  frameSeconds: number;
  /** Of the track, as far as it is played. */
  totalSeconds: number;
  /** Samples of encoder delay in the first packet, if the clock of the track counts samples of this many a second. */
  delay?: { samples: number; rateHz: number } | undefined;
};

/**
 * Reads how long the frames of an audio track of an MP4 or MOV are, by ranges of its index. Undefined where they differ, and
 * for fragments and several edits.
 */
export async function readMp4AudioTiming(
  readFile: ReadAt,
  stream: { trackId: number; sizeBytes: number },
): Promise<AudioTiming | undefined> {
  const found = await findAudioTrack(readFile, stream);
  if (found === undefined) return undefined;
  const { timescale, times, edit } = found;
  const durations = sampleDurations(times);
  if (durations === undefined) return undefined;
  const { samples, sampleTicks } = durations;
  const totalTicks = Math.min(samples * sampleTicks, edit?.durationTicks ?? Number.POSITIVE_INFINITY);
  const delay = { samples: edit?.mediaTime ?? 0, rateHz: timescale };
  return { frameSeconds: sampleTicks / timescale, totalSeconds: totalTicks / timescale, delay };
}
