import * as z from 'zod';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { encodeProRes } from '../../../encoding/video/encode-prores.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { encodeToSize, targetSizeParameter } from '../../../encoding/video/target-size.ts';
import { encodeToVmaf, targetVmafParameter } from '../../../encoding/video/target-vmaf.ts';
import {
  defaultCrf,
  defaultPreset,
  profiles,
  proResProfiles,
  videoCodecs,
} from '../../../media/codecs/video-codecs.ts';
import { exactRate, maxOutputFps } from '../../../media/frame-rate.ts';
import { evenSize } from '../../../media/frame-size.ts';
import { requireVideo } from '../../../media/probe/streams.ts';
import { integer, number } from '../../../values.ts';
import {
  audioBitrateParameter,
  audioCodecConflicts,
  audioCodecParameter,
  audioTracksParameter,
  channelsParameter,
  chosenCodec,
  codecConflicts,
  crfParameter,
  defaultsOf,
  deinterlaceParameter,
  encoderConflicts,
  presetParameter,
  proResConflicts,
  withCodecDefaults,
} from '../../parameters/common-parameters.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

const parameters = () =>
  z
    .strictObject({
      codec: z
        .enum([...videoCodecs, 'prores'])
        .optional()
        .meta({
          description:
            'Video codec. Default: VP9 in webm, otherwise H.264. prores, in mov, is for editing: 10 bits, transparency in the profile 4444, all channels of the audio uncompressed, chapters and time code.',
        }),
      crf: crfParameter(),
      targetVmaf: targetVmafParameter(),
      targetSizeMb: targetSizeParameter(),
      bitrate: integer(50, 100_000)
        .optional()
        .meta({ description: 'Target video bit rate in kbit/s, instead of crf.' }),
      maxrate: integer(50, 200_000).optional().meta({
        description:
          'Maximum video bit rate in kbit/s, by a buffer of two seconds: a stretch of two seconds may have twice as much, with crf or bitrate. av1 accepts it with crf only, up to 100,000; vp9 keeps it on average, not in each stretch. Default: none with crf, 1.5 times a bitrate.',
      }),
      preset: presetParameter()
        .optional()
        .meta({
          description: `Encoding effort: slower makes a smaller file of the same quality. Default: ${defaultsOf(defaultPreset)}.`,
        }),
      gop: integer(1, 1000).optional().meta({
        description:
          'Maximum number of frames from one keyframe to the next. av1 accepts 1 with crf and targetVmaf only. Default: 250 for h264 and h265, 128 for vp9, 5 s for av1.',
      }),
      profile: z
        .enum([...profiles, ...proResProfiles])
        .optional()
        .meta({
          description:
            'Profile of h264 (baseline, main, high), h265 (main10, or main with 8 bits) or prores (proxy, lt, standard, hq, 4444). Default: high, main10, and hq or, with transparency, 4444. With preset ultrafast, h264 uses no tool of main or high, and the stream states Constrained Baseline. vp9 and av1 have only the one that players read.',
        }),
      fps: number(1, maxOutputFps)
        .optional()
        .meta({ description: 'Frames per second, constant. Default: every frame keeps its timestamp.' }),
      deinterlace: deinterlaceParameter().meta({
        description: `${deinterlaceParameter().description} With prores: frame, since its time code counts frames.`,
      }),
      background: z
        .string()
        .regex(/^(keep|#[0-9a-fA-F]{6})$/, 'Must be keep, or # and six hexadecimal digits')
        .optional()
        .meta({
          description:
            'What is behind a transparent video: a color, as #rrggbb, or keep, which keeps the transparency, with vp9. prores keeps it in its profile 4444. Default: #ffffff, white.',
        }),
      audioBitrate: audioBitrateParameter(),
      audioCodec: audioCodecParameter(),
      channels: channelsParameter(),
      audioTracks: audioTracksParameter('main'),
    })
    .refine(
      ({ background, targetVmaf, targetSizeMb: size }) => background !== 'keep' || (targetVmaf ?? size) === undefined,
      { path: ['background'], message: 'background keep cannot be combined with targetVmaf or targetSizeMb' },
    )
    .refine(({ targetVmaf, bitrate }) => targetVmaf === undefined || bitrate === undefined, {
      path: ['bitrate'],
      message: 'Give bitrate or targetVmaf, not both',
    })
    .refine(
      ({ crf, targetVmaf, bitrate, maxrate, targetSizeMb: size }) =>
        size === undefined || (crf ?? targetVmaf ?? bitrate ?? maxrate) === undefined,
      { path: ['targetSizeMb'], message: 'targetSizeMb cannot be combined with crf, targetVmaf, bitrate or maxrate' },
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

export const transcode = defineRecipe({
  name: 'transcode',
  title: 'Transcode',
  description:
    'Encodes a video with the codec, quality and frame rate of your choice, such as AV1 for the web or ProRes for editing. The frame size stays.',
  formats: ['mp4', 'webm', 'mkv', 'mov'],
  comparison: 'same-time',
  parameters,
  example: { output: { format: 'webm' }, recipe: { name: 'transcode', codec: 'vp9', crf: 34 } },
  conflicts: ({ codec, profile, ...others }, format) => {
    if (codec === 'prores') return proResConflicts({ profile, ...others }, format);
    const choice = { ...others, codec };
    return [
      ...codecConflicts(choice, format),
      ...encoderConflicts({ ...choice, profile }, format),
      ...audioCodecConflicts(choice, format),
    ];
  },
  withDefaults: ({ codec, ...others }, format) => {
    if (codec === 'prores') return { codec, ...others };
    const complete = withCodecDefaults({ codec, ...others }, format);
    return { ...others, ...complete, preset: others.preset ?? defaultPreset[complete.codec] };
  },
});

export function planTranscode(input: RecipeInput<typeof transcode>): Plan | PendingPlan {
  const { crf, targetVmaf: target, targetSizeMb: targetMb, bitrate, maxrate: maxKbps } = input.parameters;
  const { fps, gop, deinterlace, background, ...chosen } = input.parameters;
  const { preset, audioBitrate: audioBitrateKbps, audioCodec, channels, audioTracks } = chosen;
  const scale = evenSize(requireVideo(input.probe));
  const transform = {
    scale,
    deinterlace,
    background,
    ...(fps === undefined ? {} : { framesPerSecond: exactRate(fps).exact }),
  };
  if (chosen.codec === 'prores') {
    const profile = proResProfiles.find((name) => name === chosen.profile);
    // At the rate of the fields, the frames of the time code would be half as long as those it counts.
    const framed = { ...transform, deinterlace: deinterlace ?? 'frame' };
    return encodeProRes(input, { profile, transform: framed, audioTracks });
  }
  const codec = chosenCodec({ codec: chosen.codec }, input.format);
  const profile = profiles.find((name) => name === chosen.profile);
  const options = {
    codec,
    preset,
    profile,
    gopFrames: gop,
    transform,
    audioBitrateKbps,
    audioCodec,
    channels,
    audioTracks,
  };
  if (targetMb !== undefined) return encodeToSize(input, { encoding: options, targetMb });
  if (bitrate !== undefined) {
    return encodeVideo(input, { ...options, quality: { bitrateKbps: bitrate, maxKbps } });
  }
  const encoding = { ...options, quality: { crf: crf ?? defaultCrf[codec], maxKbps } };
  return target === undefined ? encodeVideo(input, encoding) : encodeToVmaf(input, { encoding, target });
}
