import type { Content, GeneratedSource } from './generated-source.ts';

/** The grain of a camera: nothing else of the calibration has as much. */
export const grainyContent = { kind: 'scene', number: 4, grain: 10 } as const;

/**
 * Contents of the videos for the calibration of encoders: from calm to noisy, so that the fit includes the cost of
 * bits.
 */
export const contents: readonly Content[] = [
  { kind: 'scene', number: 1, grain: 0 },
  { kind: 'scene', number: 2, grain: 5 },
  grainyContent,
  { kind: 'screen' },
  { kind: 'fractal' },
];

/** The size of the videos that are measured at several qualities. */
export const usualSize = { width: 768, height: 432 };

/** The video of a content that encoders are calibrated with. */
export function calibrationSource(content: Content, differences: Partial<GeneratedSource> = {}): GeneratedSource {
  return {
    content,
    size: usualSize,
    framesPerSecond: 25,
    seconds: 2,
    encoder: 'h264',
    ...differences,
  };
}

const small = { width: 480, height: 270 };
const large = { width: 1280, height: 720 };

/** A calm video and a grainy one, of which other sizes are measured too. */
const sized = contents.slice(0, 2);

/** Videos of seconds, of three sizes: what the speed of an encoder is measured with. */
export const encoderSources: readonly GeneratedSource[] = [
  ...contents.map((content) => calibrationSource(content)),
  ...sized.flatMap((content) => [
    calibrationSource(content, { size: small, seconds: 4 }),
    calibrationSource(content, { size: large }),
  ]),
];
