import * as z from 'zod';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { encodeToSize, targetSizeParameter } from '../../../encoding/video/target-size.ts';
import { encodeToVmaf, targetVmafParameter } from '../../../encoding/video/target-vmaf.ts';
import { defaultCrf } from '../../../media/codecs/video-codecs.ts';
import type { FrameTransform } from '../../../media/filters/video-filters.ts';
import { exactRate } from '../../../media/frame-rate.ts';
import { evenSize } from '../../../media/frame-size.ts';
import { requireVideo } from '../../../media/probe/streams.ts';
import {
  audioBitrateParameter,
  backgroundParameter,
  chosenCodec,
  codecConflicts,
  codecParameter,
  crfParameter,
  deinterlaceParameter,
} from '../../parameters/common-parameters.ts';
import { defineRecipe } from '../../recipe.ts';

const parameters = z
  .strictObject({
    codec: codecParameter,
    crf: crfParameter,
    targetVmaf: targetVmafParameter,
    targetSizeMb: targetSizeParameter,
    bitrate: z.int().min(50).max(100_000).optional().meta({
      description: 'Target video bit rate in kbit/s, instead of crf.',
    }),
    fps: z.number().min(1).max(120).optional().meta({
      description: 'Frames per second, constant. Default: every frame keeps its timestamp.',
    }),
    deinterlace: deinterlaceParameter,
    background: backgroundParameter,
    audioBitrate: audioBitrateParameter,
  })
  .refine(({ targetVmaf, bitrate }) => targetVmaf === undefined || bitrate === undefined, {
    path: ['bitrate'],
    message: 'Give bitrate or targetVmaf, not both',
  })
  .refine(
    ({ crf, targetVmaf, bitrate, targetSizeMb: size }) =>
      size === undefined || (crf ?? targetVmaf ?? bitrate) === undefined,
    { path: ['targetSizeMb'], message: 'Give targetSizeMb without crf, targetVmaf and bitrate' },
  )
  .refine(({ crf, bitrate }) => crf === undefined || bitrate === undefined, {
    path: ['bitrate'],
    message: 'Give crf or bitrate, not both',
  });

/** Rounds the frame rates of NTSC to their exact values: 29.97 is 30000/1001. */
function constantFrameRate(fps: number | undefined): Pick<FrameTransform, 'framesPerSecond'> {
  return fps === undefined ? {} : { framesPerSecond: exactRate(fps).exact };
}

export const transcode = defineRecipe({
  name: 'transcode',
  title: 'Transcode',
  description: 'Encodes a video with the codec, quality and frame rate of your choice, at its own size.',
  formats: ['mp4', 'webm', 'mkv', 'mov'],
  comparison: 'same-time',
  parameters,
  example: { output: { format: 'webm' }, recipe: { name: 'transcode', codec: 'vp9', crf: 34 } },
  conflicts: codecConflicts,
  plan(input) {
    const { crf, targetVmaf: target, targetSizeMb: targetMb, bitrate, fps } = input.parameters;
    const { audioBitrate: audioBitrateKbps, deinterlace, background } = input.parameters;
    const codec = chosenCodec(input.parameters, input.format);
    const scale = evenSize(requireVideo(input.probe));
    const transform = { scale, deinterlace, background, ...constantFrameRate(fps) };
    if (targetMb !== undefined) {
      return encodeToSize(input, { encoding: { codec, audioBitrateKbps, transform }, targetMb });
    }
    if (bitrate !== undefined) {
      return encodeVideo(input, {
        codec,
        quality: { bitrateKbps: bitrate },
        audioBitrateKbps,
        transform,
      });
    }
    const encoding = { codec, quality: { crf: crf ?? defaultCrf[codec] }, audioBitrateKbps, transform };
    return target === undefined ? encodeVideo(input, encoding) : encodeToVmaf(input, { encoding, target });
  },
});
