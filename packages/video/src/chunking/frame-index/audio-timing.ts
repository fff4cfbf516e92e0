import { type Mp4Durations, readMp4Durations } from '../../media/mp4/read-durations.ts';
import type { ReadAt } from '../../media/read-at.ts';

/** The frames of an audio stream, one after the other without gaps. */
export type AudioTiming = {
  /** Of each frame but the last, which may be shorter. */
  frameSeconds: number;
  totalSeconds: number;
};

/** The frames of an audio track of an MP4 or MOV, from the index of the file alone. */
export async function readMp4AudioTiming(
  readAt: ReadAt,
  stream: { trackId: number; sizeBytes: number },
): Promise<AudioTiming | undefined> {
  const durations = await readMp4Durations(readAt, stream);
  return durations && timingOf(durations);
}

function timingOf({ timescale, sampleTicks, totalTicks }: Mp4Durations): AudioTiming {
  return { frameSeconds: sampleTicks / timescale, totalSeconds: totalTicks / timescale };
}
