import {
  audioCodecArguments,
  dualMono,
  fillAudioFromZero,
  mixChannels,
  mixToStereo,
} from '../../media/codecs/audio-codecs.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import { type Filter, type FilterGraph, filter } from '../../media/filters/filter.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import { mainAudio, requireVideo } from '../../media/probe/streams.ts';
import { audioChains } from '../audio/map-audio.ts';
import { readStreams, uniformAudio } from '../audio/uniform-audio.ts';
import { type ConcatClip, clipStartSeconds } from './concat-video.ts';

/** The audio of one clip, of which each frame of the video has its share. */
export type ClipAudio = {
  probe: Probe;
  frames: number;
  /** The input is a copy of the track and has no other stream. */
  isCopy?: boolean;
};

export const joinedSampleRateHz = 48_000;
const stereo = filter('aformat', 'sample_fmts=fltp:channel_layouts=stereo');

/** The audio track of joined clips that last so long; undefined if none has audio. */
export function joinedTrack(probes: readonly Probe[], durationSeconds: number): AudioStream | undefined {
  if (!probes.some((probe) => mainAudio(probe))) return undefined;
  const format = { codec: 'pcm_f32le', channels: 2, sampleRateHz: joinedSampleRateHz };
  return { kind: 'audio', index: 0, isDefault: true, startSeconds: 0, durationSeconds, ...format };
}

/** Gives each clip whose audio format changes a uniform copy of its track. `commands` make the copies. */
export function withUniformAudio(
  clips: readonly ConcatClip[],
  outputDirectory: string,
): { clips: ConcatClip[]; commands: Command[] } {
  const commands: Command[] = [];
  const uniform = clips.map((clip, index): ConcatClip => {
    const audio = mainAudio(clip.file.probe);
    if (audio === undefined || !clip.changesAudioFormat) return clip;
    const name = `uniform-audio-${index + 1}`;
    const { command, audioSource } = uniformAudio(
      { inputPath: clip.file.path, probe: clip.file.probe, outputDirectory },
      [audio],
      { name },
    );
    commands.push(command);
    return { ...clip, audioSource };
  });
  return { clips: uniform, commands };
}

/** A run of samples of one clip, counted from its start at the output's rate. */
export type ClipSamples = {
  clip: number;
  end: number;
  /** Set unless the run starts with the clip. */
  start?: {
    /** Timestamp of the sample from which the track is decoded: the resampler starts with it. Unset: from its start. */
    sourcePts?: number | undefined;
    /** Samples from there until the run starts. */
    leadIn: number;
  };
};

/** The samples of each clip, as many as its frames last. Rounding does not add up. */
export function samplesOfClips(clips: readonly Pick<ClipAudio, 'frames'>[], fps: number): number[] {
  const samplesAt = (frame: number) => Math.round((frame / fps) * joinedSampleRateHz);
  let framesBefore = 0;
  return clips.map(({ frames }) => {
    const start = samplesAt(framesBefore);
    framesBefore += frames;
    return samplesAt(framesBefore) - start;
  });
}

/** Joins these samples into `[audio]`. The clips are inputs of the command from number `firstInput` on. */
export function joinAudioGraph(
  clips: readonly ClipAudio[],
  runs: readonly ClipSamples[],
  { firstInput, filters = [] }: { firstInput: number; filters?: readonly Filter[] },
): FilterGraph {
  const graphs = runs.flatMap((run, index) => {
    const clip = clips[run.clip];
    return clip ? [clipAudio(clip, { ...run, input: firstInput + index, to: `audio${index}` })] : [];
  });
  const from = graphs.map((_, index) => `audio${index}`);
  const join = filter('concat', `n=${graphs.length}:v=0:a=1`);
  return [...graphs.flat(), { from, filters: [join, ...filters], to: ['audio'] }];
}

/**
 * Arguments that read the videos of the clips beside their audio, so that ffmpeg counts both from the same moment. The clips
 * are the inputs from number 1 on.
 */
export function readVideoArguments(clips: readonly ConcatClip[]): string[] {
  return clips.flatMap(({ file: { probe }, audioSource }, index) =>
    audioSource || mainAudio(probe) === undefined ? [] : readStreams(probe, [requireVideo(probe)], index + 1),
  );
}

export function joinedAudioArguments(format: VideoFormat, bitrateKbps: number): string[] {
  return ['-map', '[audio]', ...audioCodecArguments({ channels: 2 }, { format, bitrateKbps })];
}

function clipAudio(
  { probe, isCopy = false }: ClipAudio,
  { input, start, end, to }: Omit<ClipSamples, 'clip'> & { input: number; to: string },
): FilterGraph {
  const audio = mainAudio(probe);
  if (audio === undefined) {
    const silence = filter('anullsrc', `r=${joinedSampleRateHz}:cl=stereo`);
    return [{ filters: [silence, stereo, filter('atrim', `end_sample=${end}`)], to: [to] }];
  }
  const startSeconds = clipStartSeconds(probe);
  const from =
    start?.sourcePts !== undefined
      ? [filter('atrim', `start_pts=${start.sourcePts}`), filter('asetpts', 'PTS-STARTPTS')]
      : [filter('atrim', `start=${startSeconds}`), filter('asetpts', `PTS-${startSeconds}/TB`)];
  const run = start
    ? [filter('atrim', `start_sample=${start.leadIn}:end_sample=${start.leadIn + end}`), filter('asetpts', 'N')]
    : [filter('atrim', `end_sample=${end}`)];
  const filters = [
    { ...fillAudioFromZero, text: `${fillAudioFromZero.text}:osr=${joinedSampleRateHz}` },
    ...(audio.channels === 1 ? [dualMono] : []),
    ...(audio.hasDiscreteChannels ? [mixToStereo(audio)] : []),
    ...[stereo, ...mixChannels(audio, { format: 'mp4' })],
    filter('apad', `whole_len=${(start?.leadIn ?? 0) + end}`),
    ...run,
  ];
  const track = isCopy ? { index: 0 } : audio;
  return audioChains(track, { input, name: String(input), trim: from, filters, to });
}
