import * as z from 'zod';
import { probedAudioCodec } from '../media/audio-codecs.ts';
import type { Command } from '../media/command.ts';
import { containerArguments, type VideoFormat } from '../media/formats.ts';
import { constantRate, exactRate } from '../media/frame-rate.ts';
import { joinedFiles } from '../media/joined-files.ts';
import type { VideoStream } from '../media/probe.ts';
import { evenSize, fitInside, longestSide, requireWritable } from '../media/size.ts';
import { probedCodecs } from '../media/video-codecs.ts';
import { encodePieces, framesOf, type Piece, pictureOf, planPieces, type Shape } from './concat-picture.ts';
import { evenPieces, hasSound, joinedSoundArguments, joinSound } from './concat-sound.ts';
import { ordinary } from './ordinary-encoding.ts';
import { onlyThese, singleOutput } from './outputs.ts';
import { defineRecipe, type Measurement, type Plan } from './recipe.ts';

const side = (name: string) =>
  z
    .int()
    .min(16)
    .max(longestSide)
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
  inputCount: { least: 2, most: 20 },
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
    const shape: Shape = { ...shapeOf(pictureOf(first, 0), input.parameters), format };
    const { rate } = shape;
    const pieces = planPieces(inputs, { rate, directory });
    const { width, height } = shape.fitting;
    const { codec, audioBitrateKbps } = ordinary(format);
    const isAudible = hasSound(pieces);
    const { output, path } = singleOutput(input, {
      durationSeconds: framesOf(pieces) / rate.perSecond,
      video: { codec: probedCodecs[codec], ...requireWritable({ width, height }) },
      ...(isAudible ? { audio: { codec: probedAudioCodec(format) } } : {}),
    });
    const outputs = [output];
    const lasting = ({ path: piece, frames }: Piece) => ({ path: piece, seconds: frames / rate.perSecond });
    const joined = (encoded: readonly Piece[]): Plan => {
      const sources = encoded.map(({ file, soundFrom }) => soundFrom ?? { path: file.path });
      const command: Command = {
        inputs: [joinedFiles(encoded.map(lasting)), ...(isAudible ? sources : [])],
        outputArguments: [
          ...(isAudible ? ['-filter_complex', joinSound(encoded, rate)] : []),
          ...['-map', '0:v', '-c:v', 'copy'],
          ...(isAudible ? joinedSoundArguments(format, audioBitrateKbps) : []),
          ...[...onlyThese, ...containerArguments(format), path],
        ],
        durationSeconds: framesOf(encoded) / rate.perSecond,
      };
      return { commands: [command], outputs };
    };
    const join = (encoded: readonly Piece[]): Plan | Measurement => {
      const { pieces: even, commands } = evenPieces(encoded, directory);
      if (commands.length === 0) return joined(even);
      return { measure: commands, progressTo: 0.97, outputs, decide: () => joined(even) };
    };
    return encodePieces(pieces, { shape, outputs, join });
  },
});

/** The size and the rate asked for, and those of the first input for what is not. */
function shapeOf(video: VideoStream, { width, height, fps, fit }: z.output<typeof parameters>) {
  const isAsked = width !== undefined || height !== undefined;
  const { width: across, height: down } = evenSize(isAsked ? fitInside(video, { width, height }) : video);
  const fitting = { width: width ?? across, height: height ?? down, fit };
  const rate = fps === undefined ? constantRate(video.framesPerSecond ?? 30) : exactRate(fps);
  return { fitting, rate };
}
