import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import type { PendingPlan, Plan, PlanInput } from '../../recipes/recipe.ts';
import type { AudioOptions } from './audio.ts';
import { uniformAudio } from './uniform-audio.ts';

/** Whether a sound may change its channels or its rate on the way: an MP4 says once for all what they are. */
export function mayChangeAudioFormat({ container }: Probe): boolean {
  return !container.includes('mp4');
}

/** Arguments that decode a sound and write nothing, so that the log says whether it changes. */
export function decodeAudioArguments({ index }: AudioStream): string[] {
  return ['-map', `0:${index}`, '-f', 'null', '-'];
}

/** Whether a sound changed in a run that decoded it. */
export function audioFormatChanged(log: string): boolean {
  return log.includes('because audio parameters changed');
}

/**
 * The plan that `planWith` makes for an input whose sound passes filters that remember what they heard: of an even copy
 * of the sound, where it changes on the way.
 */
export function planWithUniformAudio(
  input: PlanInput<unknown>,
  audio: AudioStream | undefined,
  planWith: (sound: Pick<AudioOptions, 'audioSource'>) => Plan,
): Plan | PendingPlan {
  const plan = planWith({});
  if (audio === undefined || !mayChangeAudioFormat(input.probe)) return plan;
  const { outputs, encoding } = plan;
  const { durationSeconds } = audio;
  const listen = {
    inputs: [{ path: input.inputPath }],
    outputArguments: decodeAudioArguments(audio),
    durationSeconds,
  };
  return {
    measure: [listen],
    progressAfter: 0.02,
    outputs,
    ...(encoding && { encoding }),
    decide(log) {
      if (!audioFormatChanged(log)) return plan;
      const { command, audioSource } = uniformAudio(input, audio);
      return { measure: [command], progressAfter: 0.05, outputs, decide: () => planWith({ audioSource }) };
    },
  };
}
