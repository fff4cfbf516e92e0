import * as z from 'zod';
import { audioArguments, audioExpectation, selectAudio } from '../../../encoding/audio/encode-audio.ts';
import type { LadderEncoding } from '../../../encoding/encoding.ts';
import { ladderArguments, renditionArguments } from '../../../encoding/ladder/encode-ladder.ts';
import { dropOtherStreams, namedOutput } from '../../../encoding/outputs.ts';
import { lastFrameDurationArguments } from '../../../encoding/video/encode-video.ts';
import { defaultCrf, probedCodecs } from '../../../media/codecs/video-codecs.ts';
import type { Command } from '../../../media/ffmpeg/command.ts';
import { containerArguments, type VideoFormat } from '../../../media/formats.ts';
import { evenSize, fitInside, requireEncodableSize, type Size } from '../../../media/frame-size.ts';
import type { VideoStream } from '../../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import {
  audioBitrateParameter,
  chosenCodec,
  codecConflicts,
  codecParameter,
  crfParameter,
} from '../../parameters/common-parameters.ts';
import { defineRecipe } from '../../recipe.ts';

const heights = z
  .array(z.int().min(144).max(2160).multipleOf(2))
  .min(1)
  .max(6)
  .refine((list) => new Set(list).size === list.length, 'Each height may stand there once')
  .default([1080, 720, 480])
  .meta({
    description:
      'Heights in pixels, 1 to 6 of them, each even; of an upright video the widths, so that 1080 makes 1920x1080 of a film and 1080x1920 of what a phone took. Those above the size of the input are left out; where none remains, one output of its own size is made.',
  });

export const renditions = defineRecipe({
  name: 'renditions',
  title: 'Renditions',
  description:
    'Several sizes of a video, each a file of its own, from one decoding. The outputs are called 1080p, 720p and so on.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'none',
  parameters: z.strictObject({
    heights,
    codec: codecParameter,
    crf: crfParameter,
    audioBitrate: audioBitrateParameter,
  }),
  example: { output: { format: 'mp4' }, recipe: { name: 'renditions', heights: [720, 480, 240], crf: 26 } },
  conflicts: codecConflicts,
  plan(input) {
    const { heights: asked, crf, audioBitrate: audioBitrateKbps } = input.parameters;
    const format = input.format as VideoFormat;
    const codec = chosenCodec(input.parameters, format);
    const video = requireVideo(input.probe);
    const sizes = sizesOf(video, asked);
    const quality = { crf: crf ?? defaultCrf[codec] };
    const encoding: LadderEncoding = { codec, quality, audioBitrateKbps, sizes };
    const audio = selectAudio(input.probe, encoding);
    const durationSeconds = endSecondsOf(input.probe, [video, audio]);
    const files = sizes.map((size) =>
      namedOutput(`${Math.min(size.width, size.height)}p`, input, {
        durationSeconds,
        video: { codec: probedCodecs[codec], ...requireEncodableSize(size) },
        ...audioExpectation(audio, format),
      }),
    );
    const perFile = [
      ...lastFrameDurationArguments(video, { codec, endSeconds: durationSeconds }),
      ...audioArguments(audio, { ...encoding, format }),
      ...dropOtherStreams,
      ...containerArguments(format),
    ];
    const command: Command = {
      inputs: [{ path: input.inputPath }],
      outputArguments: [
        ...ladderArguments(video, encoding),
        ...files.flatMap(({ path }, size) => [
          ...renditionArguments(video, { ...encoding, size, format }),
          ...perFile,
          path,
        ]),
      ],
      durationSeconds,
    };
    return { commands: [command], outputs: files.map(({ output }) => output), encoding };
  },
});

/** The sizes to make, largest first; never larger than the video. */
function sizesOf(video: VideoStream, heights: readonly number[]): [Size, ...Size[]] {
  const own = evenSize(video);
  const fitting = heights.filter((height) => height <= Math.min(own.width, own.height));
  const side = own.width < own.height ? 'width' : 'height';
  const [largest = own, ...others] = fitting
    .toSorted((a, b) => b - a)
    .map((height) => evenSize(fitInside(video, { [side]: height })));
  return [largest, ...others];
}
