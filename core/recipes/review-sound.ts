import { measureReached, readReached } from '../media/reached-loudness.ts';
import type { Plan, PlanInput, Review } from './recipe.ts';

/** Listens to the sound that was made: an encoder that leaves things out moves the peaks a little. */
export function reviewSound(
  { outputDirectory }: Pick<PlanInput<unknown>, 'outputDirectory'>,
  { outputs: [output] }: Plan,
): Review {
  if (output === undefined) throw new TypeError('A sound is in one file');
  const { filename, expectation } = output;
  return {
    command: {
      inputs: [{ path: `${outputDirectory}/${filename}`, isOurs: true }],
      outputArguments: ['-map', '0:a:0', '-af', measureReached, '-f', 'null', '-'],
      durationSeconds: expectation?.durationSeconds,
    },
    figures(log): Record<string, number> {
      const reached = readReached(log);
      return reached ? { outputLufs: reached.lufs, outputTruePeak: reached.truePeak } : {};
    },
  };
}
