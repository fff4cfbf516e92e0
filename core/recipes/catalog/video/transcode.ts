import * as z from 'zod';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { encodeToSize, targetSizeParameter } from '../../../encoding/video/target-size.ts';
import { encodeToVmaf, targetVmafParameter } from '../../../encoding/video/target-vmaf.ts';
import { defaultCrf, defaultPreset, profiles } from '../../../media/codecs/video-codecs.ts';
import type { FrameTransform } from '../../../media/filters/video-filters.ts';
import { exactRate } from '../../../media/frame-rate.ts';
import { evenSize } from '../../../media/frame-size.ts';
import { requireVideo } from '../../../media/probe/streams.ts';
import {
  audioBitrateParameter,
  audioCodecConflicts,
  audioCodecParameter,
  audioTracksParameter,
  backgroundParameter,
  channelsParameter,
  chosenCodec,
  codecConflicts,
  codecParameter,
  crfParameter,
  defaultsOf,
  deinterlaceParameter,
  encoderConflicts,
  presetParameter,
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
    maxrate: z.int().min(50).max(200_000).optional().meta({
      description:
        'Maximum video bit rate in kbit/s over two seconds, with crf or bitrate. av1 accepts it with crf only. Default: none with crf, 1.5 times a bitrate.',
    }),
    preset: presetParameter.optional().meta({
      description: `Encoding effort: slower makes a smaller file of the same quality. Default: ${defaultsOf(defaultPreset)}.`,
    }),
    gop: z.int().min(1).max(1000).optional().meta({
      description:
        'Maximum number of frames from one keyframe to the next. Default: 250 for h264 and h265, 128 for vp9, 5 s for av1.',
    }),
    profile: z.enum(profiles).optional().meta({
      description:
        'Profile of h264 (baseline, main, high) or h265 (main10, or main with 8 bits). Default: high and main10. vp9 and av1 have only the one that players read.',
    }),
    fps: z.number().min(1).max(120).optional().meta({
      description: 'Frames per second, constant. Default: every frame keeps its timestamp.',
    }),
    deinterlace: deinterlaceParameter,
    background: backgroundParameter,
    audioBitrate: audioBitrateParameter,
    audioCodec: audioCodecParameter,
    channels: channelsParameter,
    audioTracks: audioTracksParameter('main'),
  })
  .refine(({ targetVmaf, bitrate }) => targetVmaf === undefined || bitrate === undefined, {
    path: ['bitrate'],
    message: 'Give bitrate or targetVmaf, not both',
  })
  .refine(
    ({ crf, targetVmaf, bitrate, maxrate, targetSizeMb: size }) =>
      size === undefined || (crf ?? targetVmaf ?? bitrate ?? maxrate) === undefined,
    { path: ['targetSizeMb'], message: 'Give targetSizeMb without crf, targetVmaf, bitrate and maxrate' },
  )
  .refine(({ targetVmaf, maxrate }) => targetVmaf === undefined || maxrate === undefined, {
    path: ['maxrate'],
    message: 'Give maxrate with crf or bitrate, not with targetVmaf',
  })
  .refine(({ maxrate, bitrate }) => (maxrate ?? Number.POSITIVE_INFINITY) >= (bitrate ?? 0), {
    path: ['maxrate'],
    message: 'The maxrate must be at least the bitrate',
  })
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
  conflicts: (choice, format) => [
    ...codecConflicts(choice, format),
    ...encoderConflicts(choice, format),
    ...audioCodecConflicts(choice, format),
  ],
  plan(input) {
    const { crf, targetVmaf: target, targetSizeMb: targetMb, bitrate, maxrate: maxKbps } = input.parameters;
    const { fps, gop, deinterlace, background, ...chosen } = input.parameters;
    const { preset, profile, audioBitrate: audioBitrateKbps, audioCodec, channels, audioTracks } = chosen;
    const codec = chosenCodec(input.parameters, input.format);
    const scale = evenSize(requireVideo(input.probe));
    const transform = { scale, deinterlace, background, ...constantFrameRate(fps) };
    const options = {
      ...{ codec, preset, profile, gopFrames: gop, transform },
      ...{ audioBitrateKbps, audioCodec, channels, audioTracks },
    };
    if (targetMb !== undefined) return encodeToSize(input, { encoding: options, targetMb });
    if (bitrate !== undefined) {
      return encodeVideo(input, { ...options, quality: { bitrateKbps: bitrate, maxKbps } });
    }
    const encoding = { ...options, quality: { crf: crf ?? defaultCrf[codec], maxKbps } };
    return target === undefined ? encodeVideo(input, encoding) : encodeToVmaf(input, { encoding, target });
  },
});
