import {
  type ClipSamples,
  joinAudioGraph,
  joinedSampleRateHz,
  samplesOfClips,
} from '../../encoding/concat/concat-audio.ts';
import { clipFps } from '../../encoding/concat/concat-video.ts';
import { fullDynamicRange } from '../../encoding/options.ts';
import type { CommandInput } from '../../media/ffmpeg/command.ts';
import { type FilterGraph, filter } from '../../media/filters/filter.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import { mainAudio, requireVideo } from '../../media/probe/streams.ts';
import { greatestCommonDivisor } from '../../values.ts';
import { seekOptions, timelineOriginOptions } from '../frame-index/frame-index.ts';
import type { TaskFiles } from '../plan/chunk-tasks.ts';
import type { ChunkedClip } from '../plan/chunked-clips.ts';
import type { TrackChunk } from '../plan/cut-audio.ts';

/** Decoders need packets from before the first sample, and a resampler some samples. */
const leadInSeconds = 0.5;

/** Below this, a resampler leaves a track that starts late as it is. */
const minLateSeconds = 0.001;

/** Makes the audio of clips as `[audio]`: all of it, or a chunk at its times in the output, moved by `moveSamples`. */
export function clipsAudio(
  clips: readonly ChunkedClip[],
  { chunk, moveSamples = 0 }: { chunk: TrackChunk | undefined; moveSamples?: number },
  { sources, isRemote, firstInput }: Pick<TaskFiles, 'sources' | 'isRemote'> & { firstInput: number },
): { inputs: CommandInput[]; graph: FilterGraph } {
  const audio = clips.map(({ source: probe, frames }) => ({ probe, frames }));
  const [first] = clips;
  if (first === undefined) throw new TypeError('Expected at least one clip');
  const samples = samplesOfClips(clips, clipFps(first.encoding));
  const pathOf = (clip: number) => sources[clip] ?? '';
  if (chunk === undefined) {
    const runs = samples.map((end, clip) => ({ clip, end }));
    return {
      inputs: clips.map((clip, number) => ({ path: pathOf(number), options: inputOptions(clip, undefined), isRemote })),
      graph: joinAudioGraph(audio, runs, { firstInput }),
    };
  }
  const { start = 0, end = Number.POSITIVE_INFINITY } = chunk.source;
  const runs = runsOf(clips, { samples, start, end });
  // ffmpeg's concat filter counts in microseconds.
  const filters = [filter('asettb', `1/${joinedSampleRateHz}`), filter('asetpts', `N+${start - moveSamples}`)];
  return {
    inputs: runs.map(({ clip: number, start: from }) => {
      const clip = clips[number] ?? first;
      return { path: pathOf(number), options: inputOptions(clip, from?.sourcePts), isRemote };
    }),
    graph: joinAudioGraph(audio, runs, { firstInput, filters }),
  };
}

/** The samples from `start` up to but excluding `end` of the output, by clip. */
function runsOf(
  clips: readonly ChunkedClip[],
  { samples, start, end }: { samples: readonly number[]; start: number; end: number },
): ClipSamples[] {
  let clipStart = 0;
  return clips.flatMap((clip, number) => {
    const from = Math.max(0, start - clipStart);
    const to = Math.min(samples[number] ?? 0, end - clipStart);
    clipStart += samples[number] ?? 0;
    if (from >= to) return [];
    const first = from === 0 ? undefined : startOfRun(clip, from);
    return [{ clip: number, end: to - from, ...(first && { start: first }) }];
  });
}

/** Where a run of samples is decoded from: a resampler is there in the state of its start. */
function startOfRun({ source }: ChunkedClip, from: number): NonNullable<ClipSamples['start']> {
  const audio = mainAudio(source);
  if (audio === undefined) return { leadIn: 0 };
  const { sampleRateHz } = audio;
  const divisor = greatestCommonDivisor(sampleRateHz, joinedSampleRateHz);
  const period = joinedSampleRateHz / divisor;
  const { trackPts, clipPts } = startPts(audio, requireVideo(source).startSeconds);
  const periods = Math.floor((from - leadInSeconds * joinedSampleRateHz) / period);
  const sourcePts = clipPts + periods * (sampleRateHz / divisor);
  // Before its own start, a track has no sample to count from.
  return sourcePts <= trackPts ? { leadIn: from } : { sourcePts, leadIn: from - periods * period };
}

/** The timestamps of the first sample of a track, and of that of its clip: silence precedes a track that starts later. */
function startPts({ sampleRateHz, startSeconds }: AudioStream, videoSeconds: number) {
  const trackPts = Math.round(startSeconds * sampleRateHz);
  const late = Math.trunc(trackPts - videoSeconds * sampleRateHz);
  if (late <= 0) return { trackPts, clipPts: Math.round(videoSeconds * sampleRateHz) };
  return { trackPts, clipPts: late / sampleRateHz > minLateSeconds ? trackPts - late : trackPts };
}

function inputOptions({ source, timelineOrigin }: ChunkedClip, sourcePts: number | undefined): string[] {
  const { sampleRateHz = 1 } = mainAudio(source) ?? {};
  const seconds = sourcePts === undefined ? 0 : sourcePts / sampleRateHz - leadInSeconds;
  // ffmpeg seeks to a keyframe of the video, and before the first it would read from there.
  const seekSeconds = seconds > requireVideo(source).startSeconds ? seconds : undefined;
  return [
    ...fullDynamicRange(source),
    ...seekOptions({ seekSeconds }, timelineOrigin),
    ...timelineOriginOptions(timelineOrigin),
  ];
}
