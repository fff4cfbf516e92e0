import type { Probe, Stream } from '../../media/probe/probe.ts';
import { endSecondsOf } from '../../media/probe/streams.ts';

/** Ends a copy of these streams where an edit list of MP4 ends them: ffmpeg copies all samples of a track. */
export function endOfEdits(probe: Probe, streams: readonly Stream[]): string[] {
  const endSeconds = probe.container.includes('mp4') ? endSecondsOf(probe, [...streams]) : undefined;
  return endSeconds === undefined ? [] : ['-t', endSeconds.toFixed(6)];
}
