import { JobError, withSubject } from '../../errors.ts';
import { encodedPixelFormat } from '../../media/codecs/encoder-arguments.ts';
import type { Command, CommandInput } from '../../media/ffmpeg/command.ts';
import { originSecondsOf } from '../../media/ffmpeg/seek.ts';
import { type Filter, filter, firstFrames } from '../../media/filters/filter.ts';
import { keepFilterGraph } from '../../media/filters/video-filters.ts';
import type { VideoFormat } from '../../media/formats.ts';
import { durationToleranceSeconds, type FrameRate, toFps } from '../../media/frame-rate.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, mainAudio, requireVideo } from '../../media/probe/streams.ts';
import { audioFormatChanged, decodeAudioArguments, mayChangeAudioFormat } from '../audio/uniform-audio.ts';
import { fitMemory } from '../encoder-memory.ts';
import type { VideoEncoding } from '../encoding.ts';
import { type FitParameters, fitFrame } from '../fit-frame.ts';
import { dropOtherStreams } from '../options.ts';
import type { ClipEncoding, MediaFile, PendingPlan, Plan, PlanInput, PlannedOutput } from '../plan.ts';
import { defaultEncoding } from '../video/default-encoding.ts';
import { videoArguments } from '../video/encode-video.ts';

/** The video of one input, encoded like all others, so that the results can be joined without encoding. */
export type ConcatClip = ClipEncoding & {
  path: string;
  /** Whether the audio format changes within the track; unknown before the clip is encoded. */
  changesAudioFormat?: boolean;
  /** A uniform copy of such a track. */
  audioSource?: CommandInput;
};

/** The video stream of an input. The error for an input without one names its index. */
export function requireClipVideo({ probe }: MediaFile, index: number): VideoStream {
  return withSubject(`inputs.${index}`, () => requireVideo(probe));
}

export type ClipFormat = { fit: Required<Omit<FitParameters, 'gravity'>>; rate: FrameRate };

/** The clips of the inputs, with frame counts from their headers. */
export function planClips(
  { inputs, format, memory, outputDirectory }: PlanInput<unknown, VideoFormat>,
  { fit, rate }: ClipFormat,
): ConcatClip[] {
  const videos = inputs.map(requireClipVideo);
  const { width, height } = fit;
  const common = videos.reduce((fitted, video) => fitMemory(fitted, video, memory), {
    ...defaultEncoding(format),
    transform: { scale: { width, height } },
  });
  const pixelFormat = encodedPixelFormat(common.codec, {});
  const normalize = { framesPerSecond: rate.exact, pixelFormat, toBt709: true } as const;
  let end = 0;
  let framesBefore = 0;
  return inputs.map((file, index) => {
    const video = requireClipVideo(file, index);
    end += (endSecondsOf(file.probe, [video]) ?? video.startSeconds) - video.startSeconds;
    // Counted from the start of the output, so that rounding errors do not add up.
    const frames = Math.max(1, Math.round(end * rate.fps) - framesBefore);
    framesBefore += frames;
    const startSeconds = clipStartSeconds(file.probe);
    const transform = { ...fitFrame(video, fit), ...normalize, startSeconds };
    return { file, frames, encoding: { ...common, transform }, path: `${outputDirectory}/clip-${index + 1}.mp4` };
  });
}

/** When the video starts, in seconds of the timeline in which ffmpeg reads it and its audio. */
export function clipStartSeconds(probe: Probe): number {
  const video = requireVideo(probe);
  const audio = mainAudio(probe);
  return video.startSeconds - originSecondsOf(probe, audio ? [video, audio] : [video]);
}

/** Frames per second of the output. */
export function clipFps({ transform }: VideoEncoding): number {
  return toFps(transform.framesPerSecond ?? Number.NaN);
}

export function totalFrames(clips: readonly Pick<ConcatClip, 'frames'>[]): number {
  return clips.reduce((sum, { frames }) => sum + frames, 0);
}

/** Encodes one clip after the other and counts the frames of each. `join` gets the clips with the counted frames. */
export function encodeClips(
  clips: readonly ConcatClip[],
  options: { outputs: PlannedOutput[]; join: (clips: readonly ConcatClip[]) => Plan | PendingPlan },
  encoded: readonly ConcatClip[] = [],
): Plan | PendingPlan {
  const clip = clips[encoded.length];
  if (clip === undefined) return options.join(encoded);
  const progress = totalFrames(clips.slice(0, encoded.length + 1)) / totalFrames(clips);
  return {
    measure: [clipCommand(clip)],
    progressAfter: progress * videoShare,
    outputs: options.outputs,
    decide: (log) => encodeClips(clips, options, [...encoded, withCountedFrames(clip, { log, input: encoded.length })]),
    expected: () => encodeClips(clips, options, [...encoded, clip]),
  };
}

const videoShare = 0.95;

/** Encodes a clip and, of a file whose audio format may change, decodes the audio. */
export function clipCommand({ file, path, frames, encoding }: ConcatClip): Command {
  const video = requireVideo(file.probe);
  const audio = mainAudio(file.probe);
  return {
    inputs: [{ path: file.path, options: keepFilterGraph(video) }],
    outputArguments: [
      ...videoArguments(video, { ...encoding, format: 'mp4', finalFilters: padToFrames(frames) }),
      ...[...dropOtherStreams, '-f', 'mp4', path],
      ...(audio && mayChangeAudioFormat(file.probe) ? decodeAudioArguments([audio]) : []),
    ],
    durationSeconds: frames / clipFps(encoding),
  };
}

/** Filters that output exactly this many frames. The last one is repeated if rounding dropped a frame. */
export function padToFrames(frames: number): Filter[] {
  return [filter('tpad', 'stop_mode=clone:stop=1'), firstFrames(frames)];
}

function withCountedFrames(clip: ConcatClip, { log, input }: { log: string; input: number }): ConcatClip {
  const [, counter] = [...log.matchAll(/frame= *(\d+)/g)].at(-1) ?? [];
  if (counter === undefined) throw new Error('The log of ffmpeg has no frame count');
  const frames = Number(counter);
  requireClipFrames(clip, { frames, input });
  return { ...clip, frames, changesAudioFormat: audioFormatChanged(log) };
}

/**
 * Rejects an input that has fewer frames than its header states, for which ffmpeg exits with 0 too.
 * @throws JobError `TRANSCODE_ERROR` that names the input by its number
 */
export function requireClipFrames(
  { frames: plannedFrames, encoding }: ClipEncoding,
  { frames, input }: { frames: number; input: number },
): void {
  const fps = clipFps(encoding);
  const [planned, found] = [plannedFrames / fps, frames / fps];
  if (planned - found <= durationToleranceSeconds(planned)) return;
  const loss = `Only ${found.toFixed(2)} s of ${planned.toFixed(2)} s could be read`;
  throw new JobError('TRANSCODE_ERROR', `inputs.${input}: ${loss}; the input is probably damaged or truncated`);
}
