import type { Content, GeneratedSource } from './generated-source.ts';

/** What the videos show that encoders are calibrated with: from calm to noisy, so that a fit sees what bits cost. */
export const contents: readonly Content[] = [
  { kind: 'scene', number: 1, grain: 0 },
  { kind: 'scene', number: 2, grain: 5 },
  { kind: 'scene', number: 4, grain: 10 },
  { kind: 'screen' },
  { kind: 'fractal' },
];

/** The video of a content that encoders are calibrated with. */
export function calibrationSource(content: Content): GeneratedSource {
  return {
    content,
    size: { width: 768, height: 432 },
    framesPerSecond: 25,
    seconds: 2,
    encoder: 'h264',
  };
}
