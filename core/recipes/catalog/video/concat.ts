import * as z from 'zod';
import {
  hasAudio,
  joinAudioGraph,
  joinedAudioArguments,
  withUniformAudio,
} from '../../../encoding/concat/concat-audio.ts';
import {
  type ConcatClip,
  type ConcatFormat,
  encodeClips,
  planClips,
  requireClipVideo,
  totalFrames,
} from '../../../encoding/concat/concat-video.ts';
import { dropOtherStreams, singleOutput } from '../../../encoding/outputs.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { defaultEncoding } from '../../../encoding/video/default-encoding.ts';
import { probedAudioCodec } from '../../../media/codecs/audio-codecs.ts';
import { probedCodecs } from '../../../media/codecs/video-codecs.ts';
import { type Command, concatListInput } from '../../../media/ffmpeg/command.ts';
import { containerArguments, type VideoFormat } from '../../../media/formats.ts';
import { exactRate, nearestConstantRate } from '../../../media/frame-rate.ts';
import { evenSize, fitInside, maxSidePixels, requireEncodableSize } from '../../../media/frame-size.ts';
import type { VideoStream } from '../../../media/probe/probe.ts';
import { defineRecipe } from '../../recipe.ts';

const side = (name: string) =>
  z
    .int()
    .min(16)
    .max(maxSidePixels)
    .multipleOf(2)
    .optional()
    .meta({
      description: `${name} in pixels, even. Where left out it follows from the first input.`,
    });

const parameters = z.strictObject({
  width: side('Width'),
  height: side('Height'),
  fps: z.number().min(1).max(120).optional().meta({
    description: 'Frames a second, constant; those of the first input where left out.',
  }),
  fit: z.enum(['pad', 'cover']).default('pad').meta({
    description:
      'How an input of another shape is shown: pad adds black bars, cover fills the picture and cuts off the rest.',
  }),
});

export const concat = defineRecipe({
  name: 'concat',
  title: 'Concatenate',
  description:
    'Joins videos of any size, shape, frame rate and sound into one, in the order of the inputs. The sound is stereo at 48 kHz, and an input without any is silent.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  inputCount: { min: 2, max: 20 },
  parameters,
  example: {
    output: { format: 'mp4' },
    recipe: { name: 'concat', width: 1280, height: 720, fps: 30 },
  },
  plan(input) {
    const { inputs, outputDirectory: directory } = input;
    const format = input.format as VideoFormat;
    const [first] = inputs;
    if (first === undefined) throw new TypeError('There is nothing to join');
    const shape: ConcatFormat = { ...shapeOf(requireClipVideo(first, 0), input.parameters), format };
    const { rate } = shape;
    const pieces = planClips(inputs, { rate, directory });
    const { width, height } = shape.fit;
    const { codec, audioBitrateKbps } = defaultEncoding(format);
    const isAudible = hasAudio(pieces);
    const { output, path } = singleOutput(input, {
      durationSeconds: totalFrames(pieces) / rate.fps,
      video: { codec: probedCodecs[codec], ...requireEncodableSize({ width, height }) },
      ...(isAudible ? { audio: { codec: probedAudioCodec(format) } } : {}),
    });
    const outputs = [output];
    const lasting = ({ path: piece, frames }: ConcatClip) => ({ path: piece, seconds: frames / rate.fps });
    const joined = (encoded: readonly ConcatClip[]): Plan => {
      const sources = encoded.map(({ file, audioSource }) => audioSource ?? { path: file.path });
      const command: Command = {
        inputs: [concatListInput(encoded.map(lasting)), ...(isAudible ? sources : [])],
        outputArguments: [
          ...(isAudible ? ['-filter_complex', joinAudioGraph(encoded, rate)] : []),
          ...['-map', '0:v', '-c:v', 'copy'],
          ...(isAudible ? joinedAudioArguments(format, audioBitrateKbps) : []),
          ...[...dropOtherStreams, ...containerArguments(format), path],
        ],
        durationSeconds: totalFrames(encoded) / rate.fps,
      };
      return { commands: [command], outputs };
    };
    const join = (encoded: readonly ConcatClip[]): Plan | PendingPlan => {
      const { pieces: even, commands } = withUniformAudio(encoded, directory);
      if (commands.length === 0) return joined(even);
      return { measure: commands, progressAfter: 0.97, outputs, decide: () => joined(even) };
    };
    return encodeClips(pieces, { shape, outputs, join });
  },
});

/** The size and the rate asked for, and those of the first input for what is not. */
function shapeOf(video: VideoStream, { width, height, fps, fit }: z.output<typeof parameters>) {
  const isAsked = width !== undefined || height !== undefined;
  const { width: across, height: down } = evenSize(isAsked ? fitInside(video, { width, height }) : video);
  const size = { width: width ?? across, height: height ?? down, fit };
  const rate = fps === undefined ? nearestConstantRate(video.framesPerSecond ?? 30) : exactRate(fps);
  return { fit: size, rate };
}
