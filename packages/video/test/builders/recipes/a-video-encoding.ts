import type { VideoEncoding } from '../../../src/encoding/encoding.ts';

/** The encoding that `compress` plans for a video of 320x180. */
export function aVideoEncoding(differences: Partial<VideoEncoding> = {}): VideoEncoding {
  return {
    codec: 'h264',
    quality: { crf: 23 },
    audioBitrateKbps: 128,
    transform: { scale: { width: 320, height: 180 } },
    ...differences,
  };
}
