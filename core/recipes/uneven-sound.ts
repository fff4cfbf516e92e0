import type { AudioStream, Probe } from '../media/probe.ts';
import { evenSound } from './even-sound.ts';
import type { Measurement, Plan, PlanInput } from './recipe.ts';
import type { SoundChange } from './sound.ts';

/** Whether a sound may change its channels or its rate on the way: an MP4 says once for all what they are. */
export function mayBeUneven({ container }: Probe): boolean {
  return !container.includes('mp4');
}

/** Arguments that decode a sound and write nothing, so that the log says whether it changes. */
export function decodeSound({ index }: AudioStream): string[] {
  return ['-map', `0:${index}`, '-f', 'null', '-'];
}

/** Whether a sound changed in a run that decoded it. */
export function wasUneven(log: string): boolean {
  return log.includes('because audio parameters changed');
}

/**
 * The plan that `planWith` makes for an input whose sound passes filters that remember what they heard: of an even copy
 * of the sound, where it changes on the way.
 */
export function withEvenSound(
  input: PlanInput<unknown>,
  audio: AudioStream | undefined,
  planWith: (sound: Pick<SoundChange, 'soundFrom'>) => Plan,
): Plan | Measurement {
  const plan = planWith({});
  if (audio === undefined || !mayBeUneven(input.probe)) return plan;
  const { outputs, encoding } = plan;
  const { durationSeconds } = audio;
  const listen = {
    inputs: [{ path: input.inputPath }],
    outputArguments: decodeSound(audio),
    durationSeconds,
  };
  return {
    measure: [listen],
    progressTo: 0.02,
    outputs,
    ...(encoding && { encoding }),
    decide(log) {
      if (!wasUneven(log)) return plan;
      const { command, soundFrom } = evenSound(input, audio);
      return { measure: [command], progressTo: 0.05, outputs, decide: () => planWith({ soundFrom }) };
    },
  };
}
