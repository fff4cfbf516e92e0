import { fillAudioGaps } from '../../media/codecs/audio-codecs.ts';
import type { Command, CommandInput } from '../../media/ffmpeg/command.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import { dropOtherStreams } from '../outputs.ts';
import type { PendingPlan, Plan, PlanInput } from '../plan.ts';
import type { AudioOptions } from './encode-audio.ts';

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

/**
 * A copy of a sound that changes its channels or its rate on the way, as broadcasts do from film to advertisement: it
 * has those of its beginning throughout, and no loss otherwise. ffmpeg begins its filters anew at every such change,
 * which those that remember what they heard do not bear.
 */
export function uniformAudio(
  { inputPath, outputDirectory }: Pick<PlanInput<unknown>, 'inputPath' | 'outputDirectory'>,
  audio: AudioStream,
  { filters = [], name = 'uniform-audio' }: { filters?: readonly string[]; name?: string } = {},
): { command: Command; audioSource: CommandInput } {
  const path = `${outputDirectory}/${name}.mka`;
  const { index, durationSeconds, startSeconds } = audio;
  const command = {
    inputs: [{ path: inputPath }],
    outputArguments: [
      ...['-map', `0:${index}`, '-af', [fillAudioGaps, ...filters].join(','), '-c:a', 'flac'],
      ...['-vn', ...dropOtherStreams, '-f', 'matroska', path],
    ],
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
  };
  // ffmpeg counts the times of every input from its first moment.
  const options = startSeconds > 0 ? ['-itsoffset', startSeconds.toFixed(3)] : [];
  return { command, audioSource: { path, options, isTrusted: true } };
}
