import type { LadderEncoding } from '../../../src/encoding/encoding.ts';

/** The encoding that `renditions` plans for a video of 320x180. */
export function aLadderEncoding(differences: Partial<LadderEncoding> = {}): LadderEncoding {
  return {
    codec: 'h264',
    quality: { crf: 23 },
    audioBitrateKbps: 128,
    sizes: [
      { width: 320, height: 180 },
      { width: 256, height: 144 },
    ],
    ...differences,
  };
}
