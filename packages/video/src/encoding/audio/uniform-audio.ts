import { fillAudioGaps } from '../../media/codecs/audio-codecs.ts';
import type { Argument, Command, CommandInput } from '../../media/ffmpeg/command.ts';
import { hasContinuousTimestamps, originSecondsOf } from '../../media/ffmpeg/seek.ts';
import type { Filter } from '../../media/filters/filter.ts';
import type { AudioStream, Probe, Stream } from '../../media/probe/probe.ts';
import { endSecondsOf, mainVideo } from '../../media/probe/streams.ts';
import type { AudioOptions } from '../encoding.ts';
import { dropOtherStreams } from '../options.ts';
import type { MediaFile, PendingPlan, Plan, PlanInput } from '../plan.ts';
import { mapAudio } from './map-audio.ts';

/** Whether the channels or the sample rate may change within the track. An MP4 declares them once for the whole track. */
export function mayChangeAudioFormat({ container }: Probe): boolean {
  return !container.includes('mp4');
}

export function decodeAudio({ path, probe }: MediaFile, tracks: readonly AudioStream[]): Command {
  const outputArguments = decodeAudioArguments(tracks);
  return { inputs: [{ path }], outputArguments, durationSeconds: endSecondsOf(probe, [...tracks]) };
}

/** Arguments that decode tracks and write nothing. Their log shows whether the format of one changes. */
export function decodeAudioArguments(tracks: readonly AudioStream[]): Argument[] {
  return [...tracks.flatMap((audio, track) => mapAudio(audio, { filters: [], track })), ...['-f', 'null', '-']];
}

/**
 * Arguments that read streams of an input and write nothing. ffmpeg counts a broadcast from the earliest stream that it
 * reads: a command that takes only the video from it, or only the audio, would have it too early. Chunks count from both.
 */
export function readStreams({ container }: Probe, streams: readonly Stream[], input = 0): string[] {
  if (streams.length === 0 || hasContinuousTimestamps(container)) return [];
  const maps = streams.flatMap(({ index }) => ['-map', `${input}:${index}`]);
  return [...maps, '-c', 'copy', '-f', 'null', '-'];
}

/** Reads from the log of a decode whether the audio format changed. */
export function audioFormatChanged(log: string): boolean {
  return log.includes('because audio parameters changed');
}

/** Plans with stateful audio filters: if the audio format changes within a track, with uniform copies of the tracks. */
export function planWithUniformAudio(
  input: PlanInput<unknown>,
  tracks: readonly AudioStream[],
  planWith: (audio: Pick<AudioOptions, 'audioSource'>) => Plan,
): Plan | PendingPlan {
  const plan = planWith({});
  if (tracks.length === 0 || !mayChangeAudioFormat(input.probe)) return plan;
  const { outputs, encoding } = plan;
  return {
    measure: [decodeAudio({ path: input.inputPath, probe: input.probe }, tracks)],
    progressAfter: 0.02,
    outputs,
    encoding,
    decide(log) {
      if (!audioFormatChanged(log)) return plan;
      const { command, audioSource } = uniformAudio(input, tracks);
      const decide = () => planWith({ audioSource });
      return { measure: [command], progressAfter: 0.05, outputs, decide, expected: decide };
    },
    expected: () => plan,
  };
}

/**
 * Makes a lossless copy of audio tracks whose channels or sample rate change, as in broadcasts between programme and
 * advertisement. Each keeps its initial format throughout, in floating point: an integer downmix of surround would be
 * scaled down, and 7.6 dB quieter than the stereo before it. ffmpeg restarts its filters at every change, and stateful
 * filters would lose their state.
 */
export function uniformAudio(
  { inputPath, probe, outputDirectory }: Pick<PlanInput<unknown>, 'inputPath' | 'probe' | 'outputDirectory'>,
  tracks: readonly AudioStream[],
  { filters = [], name = 'uniform-audio' }: { filters?: readonly Filter[]; name?: string } = {},
): { command: Command; audioSource: CommandInput } {
  const path = `${outputDirectory}/${name}.mka`;
  const video = mainVideo(probe);
  const origin = originSecondsOf(probe, video ? [video, ...tracks] : tracks);
  const startSeconds = Math.min(...tracks.map((track) => track.startSeconds)) - origin;
  const command: Command = {
    inputs: [{ path: inputPath }],
    outputArguments: [
      ...tracks.flatMap((audio, index) => {
        const track = tracks.length > 1 ? index : undefined;
        return mapAudio(audio, { filters: [fillAudioGaps, ...filters], track });
      }),
      ...['-c:a', 'pcm_f32le'],
      ...['-vn', ...dropOtherStreams, '-f', 'matroska', path],
    ],
    durationSeconds: endSecondsOf(probe, [...tracks]),
  };
  // ffmpeg sets the first timestamp of every input to 0.
  const options = startSeconds > 0 ? ['-itsoffset', startSeconds.toFixed(3)] : [];
  return { command, audioSource: { path, options, isTrusted: true } };
}
