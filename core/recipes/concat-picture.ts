import { JobError } from '../errors.ts';
import { oneGraph, oneSize } from '../media/changing-size.ts';
import { isHd } from '../media/colours.ts';
import type { Command, CommandInput } from '../media/command.ts';
import type { VideoFormat } from '../media/formats.ts';
import type { FrameRate } from '../media/frame-rate.ts';
import type { VideoStream } from '../media/probe.ts';
import { endOf, mainAudio, requireMovingPicture } from '../media/streams.ts';
import { durationTolerance } from '../media/verify.ts';
import { videoCodecArguments } from '../media/video-codecs.ts';
import { chainArguments, videoFilters } from '../media/video-filters.ts';
import { type Fitting, fitPicture } from './fitting.ts';
import { ordinary } from './ordinary-encoding.ts';
import { onlyThese } from './outputs.ts';
import type { Measurement, MediaFile, Plan, PlannedOutput } from './recipe.ts';
import { decodeSound, mayBeUneven, wasUneven } from './uneven-sound.ts';

/** The picture of one input, encoded as all are, so that they can be joined as they are. */
export type Piece = {
  file: MediaFile;
  /** How a refusal names the input. */
  name: string;
  path: string;
  /** Second of the input that it begins with. */
  begin: number;
  /** How many frames of the common rate it has. */
  frames: number;
  /** Whether its sound changes its channels or its rate on the way; not known before it is encoded. */
  isUneven?: boolean;
  /** The copy that is read in place of such a sound. */
  soundFrom?: CommandInput;
};

export type Shape = { fitting: Required<Fitting>; rate: FrameRate; format: VideoFormat };

/** The picture of an input; refuses one without by its place in the request. */
export function pictureOf({ probe }: MediaFile, index: number): VideoStream {
  return naming(`inputs.${index}`, () => requireMovingPicture(probe));
}

/** What becomes of the pictures of the inputs, as far as their headers tell. */
export function planPieces(
  inputs: readonly MediaFile[],
  { rate, directory }: Pick<Shape, 'rate'> & { directory: string },
): Piece[] {
  let end = 0;
  let framesBefore = 0;
  return inputs.map((file, index) => {
    const video = pictureOf(file, index);
    const { startSeconds: begin } = video;
    end += (endOf(file.probe, [video]) ?? begin) - begin;
    // Counted from the first moment, so that what is rounded never adds up.
    const frames = Math.max(1, Math.round(end * rate.perSecond) - framesBefore);
    framesBefore += frames;
    return { file, name: `inputs.${index}`, path: `${directory}/piece-${index + 1}.mp4`, begin, frames };
  });
}

/** The frames of some pieces together. */
export function framesOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { frames }) => sum + frames, 0);
}

/** Encodes one piece after the other, counts what was in each, and goes on with those lengths. */
export function encodePieces(
  pieces: readonly Piece[],
  work: { shape: Shape; outputs: PlannedOutput[]; join: (pieces: readonly Piece[]) => Plan | Measurement },
  encoded: readonly Piece[] = [],
): Plan | Measurement {
  const piece = pieces[encoded.length];
  if (piece === undefined) return work.join(encoded);
  const done = framesOf(pieces.slice(0, encoded.length + 1)) / framesOf(pieces);
  return {
    measure: [pieceCommand(piece, work.shape)],
    progressTo: done * pictureShare,
    outputs: work.outputs,
    decide: (log) => encodePieces(pieces, work, [...encoded, counted(piece, log, work.shape)]),
  };
}

/** The part of the whole work that the picture is. */
const pictureShare = 0.95;

function pieceCommand({ file, path, begin, frames }: Piece, { fitting, rate, format }: Shape): Command {
  const video = requireMovingPicture(file.probe);
  const audio = mainAudio(file.probe);
  const picture = { ...fitPicture(video, fitting), framesPerSecond: rate.exact, begin };
  const { codec, quality } = ordinary(format);
  const fitted = [...oneSize(video), ...videoFilters(video, picture)];
  const filters = [...fitted, ...exactly(frames), ...commonColours(video)];
  return {
    inputs: [{ path: file.path, options: oneGraph(video) }],
    outputArguments: [
      ...chainArguments(video, filters.join(',')),
      ...videoCodecArguments(codec, { quality, format: 'mp4' }),
      ...['-fps_mode:v', 'vfr', ...onlyThese, '-f', 'mp4', path],
      ...(audio && mayBeUneven(file.probe) ? decodeSound(audio) : []),
    ],
    durationSeconds: frames / rate.perSecond,
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
function counted(piece: Piece, log: string, { rate }: Shape): Piece {
  const [, counter] = [...log.matchAll(/frame= *(\d+)/g)].at(-1) ?? [];
  if (counter === undefined) throw new Error('ffmpeg does not say how many frames it wrote');
  const frames = Number(counter);
  const [planned, found] = [piece.frames / rate.perSecond, frames / rate.perSecond];
  if (planned - found <= durationTolerance(planned)) return { ...piece, frames, isUneven: wasUneven(log) };
  const lost = `Only ${found.toFixed(2)} s of ${planned.toFixed(2)} s could be read`;
  const message = `${piece.name}: ${lost}; the input is probably damaged or cut short`;
  throw new JobError('TRANSCODE_ERROR', message, { retryable: false });
}

function naming<Result>(name: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    if (!(cause instanceof JobError)) throw cause;
    const { code, message, retryable } = cause;
    throw new JobError(code, `${name}: ${message}`, { retryable, cause });
  }
}
