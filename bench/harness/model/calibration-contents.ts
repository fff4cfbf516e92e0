import type { Content, GeneratedSource } from './generated-source.ts';

/**
 * Contents of the videos for the calibration of encoders: from calm to noisy, so that the fit includes the cost of
 * bits.
 */
export const contents: readonly Content[] = [
  { kind: 'scene', number: 1, grain: 0 },
  { kind: 'scene', number: 2, grain: 5 },
  { kind: 'scene', number: 4, grain: 10 },
  { kind: 'screen' },
  { kind: 'fractal' },
];

/** The video of a content that encoders are calibrated with. */
export function calibrationSource(
  content: Content,
  differences: Partial<GeneratedSource> = {},
): GeneratedSource {
  return {
    content,
    size: { width: 768, height: 432 },
    framesPerSecond: 25,
    seconds: 2,
    encoder: 'h264',
    ...differences,
  };
}
