import type { PartsWork } from '../../core/chunks/parts-plan.ts';
import { anAudioStream, aProbe, aVideoStream } from './a-probe.ts';
import { aVideoEncoding } from './a-video-encoding.ts';

export const aChunk = { pictures: 1500, startSeconds: 0, seconds: 60, cost: 0.5 };

/** Two minutes of picture and sound, in two chunks. */
export function aWork(differences: Partial<PartsWork> = {}): PartsWork {
  return {
    madeBy: { service: '1.0.0', ffmpeg: 'ffmpeg version 7.1.2' },
    source: aProbe([aVideoStream(), anAudioStream()]),
    format: 'mp4',
    encoding: aVideoEncoding(),
    outputs: [{ name: 'output', filename: 'output.mp4', format: 'mp4', mimeType: 'video/mp4' }],
    chunks: [aChunk, { ...aChunk, startSeconds: 60 }],
    beginning: { containerSeconds: 0, fileSeconds: 0 },
    times: { timeBase: { numerator: 1, denominator: 1000 }, first: 0, steps: [[40, 2999]] },
    result: { inputSizeBytes: 63_000_000 },
    ...differences,
  };
}
