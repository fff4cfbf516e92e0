import type { ChunkedWork } from '../../../src/chunking/plan/chunk-plan.ts';
import { anAudioStream, aProbe, aVideoStream } from '../media/a-probe.ts';
import { aVideoEncoding } from '../recipes/a-video-encoding.ts';

export const aChunk = { frames: 1500, startSeconds: 0, durationSeconds: 60, costShare: 0.5 };

/** Two minutes of video and audio, in two chunks. */
export function aChunkedWork(differences: Partial<ChunkedWork> = {}): ChunkedWork {
  return {
    encodedBy: { service: '1.0.0', ffmpeg: 'ffmpeg version 7.1.2' },
    step: 0,
    source: aProbe([aVideoStream(), anAudioStream()]),
    format: 'mp4',
    encoding: aVideoEncoding(),
    outputs: [{ name: 'output', filename: 'output.mp4', format: 'mp4' }],
    chunks: [aChunk, { ...aChunk, startSeconds: 60 }],
    timelineOrigin: { containerSeconds: 0, fileSeconds: 0 },
    frameTimes: { timeBase: { numerator: 1, denominator: 1000 }, firstPts: 0, deltas: [[40, 2999]] },
    result: { inputSizeBytes: 63_000_000 },
    ...differences,
  };
}
