import { JobError, prefixJobError } from '../../errors.ts';
import { videoCodecArguments } from '../../media/codecs/video-codecs.ts';
import type { Command, CommandInput } from '../../media/ffmpeg/command.ts';
import { isHd } from '../../media/filters/color-space.ts';
import {
  keepFilterGraph,
  mapThroughFilters,
  normalizeFrameSize,
  videoFilters,
} from '../../media/filters/video-filters.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { FrameRate } from '../../media/frame-rate.ts';
import { durationToleranceSeconds } from '../../media/outputs/verify-output.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, mainAudio, requireVideo } from '../../media/probe/streams.ts';
import { audioFormatChanged, decodeAudioArguments, mayChangeAudioFormat } from '../audio/uniform-audio.ts';
import { type FitParameters, fitFrame } from '../fit.ts';
import { dropOtherStreams } from '../outputs.ts';
import type { MediaFile, PendingPlan, Plan, PlannedOutput } from '../plan.ts';
import { defaultEncoding } from '../video/default-encoding.ts';

/** The picture of one input, encoded as all are, so that they can be joined as they are. */
export type ConcatClip = {
  file: MediaFile;
  /** How a refusal names the input. */
  name: string;
  path: string;
  /** Second of the input that it begins with. */
  startSeconds: number;
  /** How many frames of the common rate it has. */
  frames: number;
  /** Whether its sound changes its channels or its rate on the way; not known before it is encoded. */
  changesAudioFormat?: boolean;
  /** The copy that is read in place of such a sound. */
  audioSource?: CommandInput;
};

export type ConcatFormat = { fit: Required<FitParameters>; rate: FrameRate; format: VideoFormat };

/** The picture of an input; refuses one without by its place in the request. */
export function requireClipVideo({ probe }: MediaFile, index: number): VideoStream {
  return naming(`inputs.${index}`, () => requireVideo(probe));
}

/** What becomes of the pictures of the inputs, as far as their headers tell. */
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
    // Counted from the first moment, so that what is rounded never adds up.
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

/** The frames of some pieces together. */
export function totalFrames(pieces: readonly ConcatClip[]): number {
  return pieces.reduce((sum, { frames }) => sum + frames, 0);
}

/** Encodes one piece after the other, counts what was in each, and goes on with those lengths. */
export function encodeClips(
  pieces: readonly ConcatClip[],
  work: {
    shape: ConcatFormat;
    outputs: PlannedOutput[];
    join: (pieces: readonly ConcatClip[]) => Plan | PendingPlan;
  },
  encoded: readonly ConcatClip[] = [],
): Plan | PendingPlan {
  const piece = pieces[encoded.length];
  if (piece === undefined) return work.join(encoded);
  const done = totalFrames(pieces.slice(0, encoded.length + 1)) / totalFrames(pieces);
  return {
    measure: [pieceCommand(piece, work.shape)],
    progressAfter: done * pictureShare,
    outputs: work.outputs,
    decide: (log) => encodeClips(pieces, work, [...encoded, counted(piece, log, work.shape)]),
  };
}

/** The part of the whole work that the picture is. */
const pictureShare = 0.95;

function pieceCommand(
  { file, path, startSeconds, frames }: ConcatClip,
  { fit, rate, format }: ConcatFormat,
): Command {
  const video = requireVideo(file.probe);
  const audio = mainAudio(file.probe);
  const picture = { ...fitFrame(video, fit), framesPerSecond: rate.exact, startSeconds };
  const { codec, quality } = defaultEncoding(format);
  const fitted = [...normalizeFrameSize(video), ...videoFilters(video, picture)];
  const filters = [...fitted, ...exactly(frames), ...commonColours(video)];
  return {
    inputs: [{ path: file.path, options: keepFilterGraph(video) }],
    outputArguments: [
      ...mapThroughFilters(video, filters.join(',')),
      ...videoCodecArguments(codec, { quality, format: 'mp4' }),
      ...['-fps_mode:v', 'vfr', ...dropOtherStreams, '-f', 'mp4', path],
      ...(audio && mayChangeAudioFormat(file.probe) ? decodeAudioArguments(audio) : []),
    ],
    durationSeconds: frames / rate.fps,
  };
}

/** So many frames; the last one is repeated where a frame was rounded away. */
function exactly(frames: number): string[] {
  return ['tpad=stop_mode=clone:stop=1', `trim=end_frame=${frames}`];
}

/** All in the colours of HD; where a file does not say which it has, players go by its size. */
function commonColours(video: VideoStream): string[] {
  const from = video.colorMatrix === undefined && isHd(video) ? 'bt709' : 'auto';
  return [
    `scale=in_color_matrix=${from}:out_color_matrix=bt709:out_range=tv`,
    'format=yuv420p',
    'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
  ];
}

/** The piece with the frames that it really has; ffmpeg ends well with an input that ends too early. */
function counted(piece: ConcatClip, log: string, { rate }: ConcatFormat): ConcatClip {
  const [, counter] = [...log.matchAll(/frame= *(\d+)/g)].at(-1) ?? [];
  if (counter === undefined) throw new Error('ffmpeg does not say how many frames it wrote');
  const frames = Number(counter);
  const [planned, found] = [piece.frames / rate.fps, frames / rate.fps];
  if (planned - found <= durationToleranceSeconds(planned))
    return { ...piece, frames, changesAudioFormat: audioFormatChanged(log) };
  const lost = `Only ${found.toFixed(2)} s of ${planned.toFixed(2)} s could be read`;
  const message = `${piece.name}: ${lost}; the input is probably damaged or cut short`;
  throw new JobError('TRANSCODE_ERROR', message);
}

function naming<Result>(name: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    throw prefixJobError(cause, name);
  }
}
