import { outputLoudnessFilter, readOutputLoudness } from '../../media/filters/output-loudness.ts';
import type { OutputMeasurement, Plan, PlanInput } from '../../recipes/recipe.ts';

/** Listens to the sound that was made: an encoder that leaves things out moves the peaks a little. */
export function measureOutputLoudness(
  { outputDirectory }: Pick<PlanInput<unknown>, 'outputDirectory'>,
  { outputs: [output] }: Plan,
): OutputMeasurement {
  if (output === undefined) throw new TypeError('A sound is in one file');
  const { filename, expectation } = output;
  return {
    command: {
      inputs: [{ path: `${outputDirectory}/${filename}`, isTrusted: true }],
      outputArguments: ['-map', '0:a:0', '-af', outputLoudnessFilter, '-f', 'null', '-'],
      durationSeconds: expectation?.durationSeconds,
    },
    read(log): Record<string, number> {
      const reached = readOutputLoudness(log);
      return reached ? { outputLufs: reached.lufs, outputTruePeak: reached.truePeak } : {};
    },
  };
}
