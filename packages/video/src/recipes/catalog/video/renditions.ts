import * as z from 'zod';
import { audioArguments, audioExpectation, selectAudio } from '../../../encoding/audio/map-audio.ts';
import { fitMemory } from '../../../encoding/encoder-memory.ts';
import type { LadderEncoding } from '../../../encoding/encoding.ts';
import { ladderArguments, renditionArguments } from '../../../encoding/ladder/encode-ladder.ts';
import { dropOtherStreams, outputFile } from '../../../encoding/options.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { lastFrameArguments, lastFrameFilters, withFrameGrid } from '../../../encoding/video/frame-times.ts';
import { defaultCrf, probedCodecs } from '../../../media/codecs/video-codecs.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { containerArguments } from '../../../media/formats.ts';
import { evenSize, fitInside, requireEncodableSize, type Size } from '../../../media/frame-size.ts';
import type { VideoStream } from '../../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import { integer } from '../../../values.ts';
import {
  audioBitrateParameter,
  chosenCodec,
  codecConflicts,
  codecParameter,
  crfParameter,
  deinterlaceParameter,
  withCodecDefaults,
} from '../../parameters/common-parameters.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

const heightList = () =>
  z
    .array(integer(144, 2160).multipleOf(2))
    .min(1)
    .max(6)
    .refine((list) => new Set(list).size === list.length, 'Must not have a value twice')
    .default([1080, 720, 480])
    .meta({
      description:
        '1 to 6 even heights in pixels; widths for a portrait video, so that 1080 is 1920x1080 in landscape and 1080x1920 in portrait. Heights above that of the input are left out. If none remains, there is one output of the input size.',
    });

export const renditions = defineRecipe({
  name: 'renditions',
  title: 'Renditions',
  description: 'The same video in several sizes, one file for each. The outputs are named 1080p, 720p and so on.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'none',
  severalOutputs: true,
  parameters: () =>
    z.strictObject({
      heights: heightList(),
      codec: codecParameter(),
      crf: crfParameter(),
      deinterlace: deinterlaceParameter(),
      audioBitrate: audioBitrateParameter(),
    }),
  example: { output: { format: 'mp4' }, recipe: { name: 'renditions', heights: [720, 480, 240], crf: 26 } },
  conflicts: codecConflicts,
  withDefaults: (parameters, format) => ({ ...parameters, ...withCodecDefaults(parameters, format) }),
});

export function planRenditions(input: RecipeInput<typeof renditions>): Plan | PendingPlan {
  const { heights: requested, crf, deinterlace, audioBitrate: audioBitrateKbps } = input.parameters;
  const { format } = input;
  const codec = chosenCodec(input.parameters, format);
  const video = requireVideo(input.probe);
  const sizes = renditionSizes(video, requested);
  const quality = { crf: crf ?? defaultCrf[codec] };
  const wanted: LadderEncoding = { codec, quality, audioBitrateKbps, sizes, deinterlace };
  const encoding = withFrameGrid(fitMemory(wanted, video, input.memory), input);
  const audio = selectAudio(input.probe, encoding);
  const durationSeconds = endSecondsOf(input.probe, [video, ...audio]);
  const expectation = { durationSeconds, ...audioExpectation(audio, { ...encoding, format }) };
  const nameOf = ({ width, height }: Size) => `${Math.min(width, height)}p`;
  const files = sizes.map((size) =>
    outputFile(
      input,
      { ...expectation, video: { codec: probedCodecs[codec], ...requireEncodableSize(size) } },
      nameOf(size),
    ),
  );
  const lastFrame = lastFrameArguments(input, video, encoding);
  const command: Command = {
    inputs: [{ path: input.inputPath }],
    outputArguments: [
      ...ladderArguments(video, { ...encoding, finalFilters: lastFrameFilters(video, encoding) }),
      ...files.flatMap(({ path }, size) => [
        ...renditionArguments(video, { ...encoding, size, format }),
        ...lastFrame,
        ...audioArguments(audio, { ...encoding, format, output: size }),
        ...dropOtherStreams,
        ...containerArguments(format),
        path,
      ]),
    ],
    durationSeconds,
  };
  return { commands: [command], outputs: files.map(({ output }) => output), encoding };
}

/** The sizes, largest first. Never larger than the video. */
function renditionSizes(video: VideoStream, heights: readonly number[]): [Size, ...Size[]] {
  const sourceSize = evenSize(video);
  const available = heights.filter((height) => height <= Math.min(sourceSize.width, sourceSize.height));
  const side = sourceSize.width < sourceSize.height ? 'width' : 'height';
  const [largest = sourceSize, ...others] = available
    .toSorted((a, b) => b - a)
    .map((height) => evenSize(fitInside(video, { [side]: height })));
  return [largest, ...others];
}
