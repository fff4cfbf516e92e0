import { probedCodecs, type VideoCodec, videoCodecArguments } from '../../media/codecs/video-codecs.ts';
import { seekPoint } from '../../media/ffmpeg/seek.ts';
import {
  type FrameSelection,
  type FrameTransform,
  keepFilterGraph,
  mapThroughFilters,
  normalizeFrameSize,
  transformedSize,
  videoFilters,
} from '../../media/filters/video-filters.ts';
import { containerArguments, type VideoFormat } from '../../media/formats.ts';
import { type ExactRate, signalledFps } from '../../media/frame-rate.ts';
import { requireEncodableSize } from '../../media/frame-size.ts';
import type { VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import { audioArguments, audioExpectation, selectAudio } from '../audio/encode-audio.ts';
import type { VideoEncoding } from '../encoding.ts';
import { dropOtherStreams, singleOutput } from '../outputs.ts';
import { overlayGraph } from '../overlay.ts';
import type { Plan, PlanInput } from '../plan.ts';

/** A plan of one command that encodes the input's picture, and its sound where it has any, into one file. */
export function encodeVideo(input: PlanInput<unknown>, encoding: VideoEncoding): Plan {
  const video = requireVideo(input.probe);
  const audio = selectAudio(input.probe, encoding);
  const format = input.format as VideoFormat;
  const { range, overlay, audioSource } = encoding;
  const lengthSeconds = range ? range.end - range.start : endSecondsOf(input.probe, [video, audio]);
  const durationSeconds =
    lengthSeconds === undefined ? undefined : lengthSeconds / (encoding.transform.tempo ?? 1);
  const { output, path } = singleOutput(input, {
    durationSeconds,
    video: {
      codec: probedCodecs[encoding.codec],
      ...requireEncodableSize(transformedSize(encoding.transform)),
    },
    ...audioExpectation(audio, format),
  });
  const cut = range ? seekArguments(input, range) : { inputOptions: [], outputOptions: [] };
  const outputArguments = [
    ...videoArguments(video, { ...encoding, format }),
    ...lastFrameDurationArguments(video, { codec: encoding.codec, endSeconds: durationSeconds }),
    ...audioArguments(audio, { ...encoding, format }),
    ...cut.outputOptions,
    ...dropOtherStreams,
    ...containerArguments(format),
    path,
  ];
  const inputs = [
    {
      path: input.inputPath,
      options: [...(carriesOn(encoding) ? keepFilterGraph(video) : []), ...cut.inputOptions],
    },
    ...(audioSource ? [audioSource] : []),
    ...(overlay ? [{ path: overlay.path }] : []),
  ];
  return { commands: [{ inputs, outputArguments, durationSeconds }], outputs: [output], encoding };
}

/** `from` is where reading begins, in seconds; the rest are arguments before the input and of the output. */
type Cut = { seekSeconds: number; inputOptions: string[]; outputOptions: string[] };

/** A quick seek in front of the input, and behind it the exact cut, which goes by the times of frames. */
export function seekArguments(
  { probe }: Pick<PlanInput<unknown>, 'probe'>,
  { start, end }: { start: number; end: number },
): Cut {
  // A seek goes to a keyframe of the picture: before the first of them the sound would be lost.
  const seekSeconds = start <= requireVideo(probe).startSeconds ? 0 : seekPoint(probe, start);
  const inputOptions = seekSeconds > 0 ? ['-ss', seekSeconds.toFixed(3)] : [];
  const rest = start > seekSeconds ? ['-ss', (start - seekSeconds).toFixed(3)] : [];
  return { seekSeconds, inputOptions, outputOptions: [...rest, '-t', (end - start).toFixed(3)] };
}

/** Arguments that map, filter and encode the picture. */
export function videoArguments(
  video: VideoStream,
  encoding: VideoEncoding & FrameSelection & { format: VideoFormat },
): string[] {
  const { transform, codec, overlay, finalFilters = [], selectFilters = [] } = encoding;
  const chain = videoFilters(video, { ...transform, selectFilters });
  const filters = [...(carriesOn(encoding) ? normalizeFrameSize(video) : []), ...chain, ...finalFilters].join(
    ',',
  );
  return [
    ...(overlay
      ? ['-filter_complex', overlayGraph(`[0:${video.index}]${filters}`, overlay), '-map', '[out]']
      : mapThroughFilters(video, filters)),
    ...videoCodecArguments(codec, { ...encoding, ...encoderFps(video, transform) }),
    ...timestampArguments(transform),
    ...keepLastFrameArguments(video),
  ];
}

/** Whether its filters carry something on from picture to picture, also where the size changes. */
function carriesOn({ overlay, transform }: VideoEncoding): boolean {
  return overlay !== undefined || transform.framesPerSecond !== undefined;
}

/** What an encoder is told where frames keep their own times. */
export function encoderFps(
  video: VideoStream,
  { framesPerSecond }: Pick<FrameTransform, 'framesPerSecond'>,
): { signalledFps?: ExactRate | undefined } {
  return framesPerSecond === undefined ? { signalledFps: signalledFps(video) } : {};
}

/** Frames keep their own times: rounded to a guessed rate, the quick parts of a variable one would lose frames. */
export function timestampArguments({ framesPerSecond }: Pick<FrameTransform, 'framesPerSecond'>): string[] {
  return ['-fps_mode:v', 'vfr', ...(framesPerSecond ? [] : ['-enc_time_base:v', 'demux'])];
}

/** The last frame of a GIF is often held, and an MP4 says how long only of the frame that is stored last. */
export function keepLastFrameArguments(video: VideoStream): string[] {
  return isGif(video) ? ['-bf', '0'] : [];
}

/**
 * Arguments that hold it until the output ends, in seconds, where the encoder forgets how long frames last. Only where
 * the length of the input is the sum of its frames: what was cut short must not look as long as it says it is.
 */
export function lastFrameDurationArguments(
  video: VideoStream,
  { codec, endSeconds }: { codec: VideoCodec; endSeconds: number | undefined },
): string[] {
  if (!isGif(video) || codec !== 'av1' || endSeconds === undefined) return [];
  const rest = `${endSeconds.toFixed(6)}/TB-PTS`;
  return ['-bsf:v', `setts=duration='if(eq(NEXT_PTS,NOPTS),max(DURATION,${rest}),DURATION)'`];
}

function isGif({ codec }: VideoStream): boolean {
  return codec === 'gif';
}
