import { JobError, prefixJobError } from '../../errors.ts';
import { encodedPixelFormat, videoCodecArguments } from '../../media/codecs/encoder-arguments.ts';
import type { Command, CommandInput } from '../../media/ffmpeg/command.ts';
import {
  keepFilterGraph,
  mapThroughFilters,
  normalizeFrameSize,
  videoFilters,
} from '../../media/filters/video-filters.ts';
import type { FrameRate } from '../../media/frame-rate.ts';
import { durationToleranceSeconds } from '../../media/outputs/verify-output.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, mainAudio, requireVideo } from '../../media/probe/streams.ts';
import { audioFormatChanged, decodeAudioArguments, mayChangeAudioFormat } from '../audio/uniform-audio.ts';
import type { VideoEncoding } from '../encoding.ts';
import { type FitParameters, fitFrame } from '../fit-frame.ts';
import { dropOtherStreams } from '../outputs.ts';
import type { MediaFile, PendingPlan, Plan, PlannedOutput } from '../plan.ts';

/** The video of one input, encoded like all others, so that the results can be joined without encoding. */
export type ConcatClip = {
  file: MediaFile;
  /** Names the input in an error, such as `inputs.1`. */
  name: string;
  path: string;
  /** Start of the video stream in the input. */
  startSeconds: number;
  /** Number of frames at the common frame rate. */
  frames: number;
  /** Whether the audio format changes within the track; unknown before the clip is encoded. */
  changesAudioFormat?: boolean;
  /** A uniform copy of such a track. */
  audioSource?: CommandInput;
};

/** The common format that every clip is encoded to. */
export type ConcatFormat = {
  fit: Required<FitParameters>;
  rate: FrameRate;
  encoding: Pick<VideoEncoding, 'codec' | 'quality' | 'savesMemory'>;
};

/** The video stream of an input. The error for an input without one names its index. */
export function requireClipVideo({ probe }: MediaFile, index: number): VideoStream {
  return withInputName(`inputs.${index}`, () => requireVideo(probe));
}

/** The clips of the inputs, with frame counts from their headers. */
export function planClips(
  inputs: readonly MediaFile[],
  { rate, directory }: Pick<ConcatFormat, 'rate'> & { directory: string },
): ConcatClip[] {
  let end = 0;
  let framesBefore = 0;
  return inputs.map((file, index) => {
    const video = requireClipVideo(file, index);
    const { startSeconds } = video;
    end += (endSecondsOf(file.probe, [video]) ?? startSeconds) - startSeconds;
    // Counted from the start of the output, so that rounding errors do not add up.
    const frames = Math.max(1, Math.round(end * rate.fps) - framesBefore);
    framesBefore += frames;
    return {
      file,
      name: `inputs.${index}`,
      path: `${directory}/clip-${index + 1}.mp4`,
      startSeconds,
      frames,
    };
  });
}

export function totalFrames(clips: readonly ConcatClip[]): number {
  return clips.reduce((sum, { frames }) => sum + frames, 0);
}

/** Encodes one clip after the other and counts the frames of each. `join` gets the clips with the counted frames. */
export function encodeClips(
  clips: readonly ConcatClip[],
  options: {
    clipFormat: ConcatFormat;
    outputs: PlannedOutput[];
    join: (clips: readonly ConcatClip[]) => Plan | PendingPlan;
  },
  encoded: readonly ConcatClip[] = [],
): Plan | PendingPlan {
  const clip = clips[encoded.length];
  if (clip === undefined) return options.join(encoded);
  const progress = totalFrames(clips.slice(0, encoded.length + 1)) / totalFrames(clips);
  return {
    measure: [clipCommand(clip, options.clipFormat)],
    progressAfter: progress * videoShare,
    outputs: options.outputs,
    decide: (log) =>
      encodeClips(clips, options, [...encoded, withCountedFrames(clip, log, options.clipFormat)]),
    expected: () => encodeClips(clips, options, [...encoded, clip]),
  };
}

/** Share of all work, 0 to 1, that is done when all clips are encoded. */
const videoShare = 0.95;

function clipCommand(
  { file, path, startSeconds, frames }: ConcatClip,
  { fit, rate, encoding: { codec, ...encoding } }: ConcatFormat,
): Command {
  const video = requireVideo(file.probe);
  const audio = mainAudio(file.probe);
  const pixelFormat = encodedPixelFormat(codec, {});
  const transform = { ...fitFrame(video, fit), framesPerSecond: rate.exact, startSeconds, pixelFormat };
  const transformFilters = [...normalizeFrameSize(video), ...videoFilters(video, transform)];
  const filters = [...transformFilters, ...padToFrames(frames), ...toHdColors(pixelFormat)];
  return {
    inputs: [{ path: file.path, options: keepFilterGraph(video) }],
    outputArguments: [
      ...mapThroughFilters(video, filters.join(',')),
      ...videoCodecArguments(codec, { ...encoding, format: 'mp4' }),
      ...['-fps_mode:v', 'vfr', ...dropOtherStreams, '-f', 'mp4', path],
      ...(audio && mayChangeAudioFormat(file.probe) ? decodeAudioArguments([audio]) : []),
    ],
    durationSeconds: frames / rate.fps,
  };
}

/** Filters that output exactly this many frames. The last one is repeated if rounding dropped a frame. */
function padToFrames(frames: number): string[] {
  return ['tpad=stop_mode=clone:stop=1', `trim=end_frame=${frames}`];
}

/** Converts to BT.709, from the colors with which `videoFilters` tags a video. */
function toHdColors(pixelFormat: string): string[] {
  return [
    'scale=out_color_matrix=bt709:out_range=tv',
    `format=${pixelFormat}`,
    'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
  ];
}

/** Sets the counted frames. Rejects a truncated input, for which ffmpeg exits with 0 too. */
function withCountedFrames(clip: ConcatClip, log: string, { rate }: ConcatFormat): ConcatClip {
  const [, counter] = [...log.matchAll(/frame= *(\d+)/g)].at(-1) ?? [];
  if (counter === undefined) throw new Error('The log of ffmpeg has no frame count');
  const frames = Number(counter);
  const [planned, found] = [clip.frames / rate.fps, frames / rate.fps];
  if (planned - found <= durationToleranceSeconds(planned))
    return { ...clip, frames, changesAudioFormat: audioFormatChanged(log) };
  const loss = `Only ${found.toFixed(2)} s of ${planned.toFixed(2)} s could be read`;
  const message = `${clip.name}: ${loss}; the input is probably damaged or truncated`;
  throw new JobError('TRANSCODE_ERROR', message);
}

function withInputName<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw prefixJobError(cause, name);
  }
}
