import { fillAudioGaps } from '../../media/codecs/audio-codecs.ts';
import type { Command, CommandInput } from '../../media/ffmpeg/command.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import type { PlanInput } from '../../recipes/recipe.ts';
import { dropOtherStreams } from '../outputs.ts';

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
