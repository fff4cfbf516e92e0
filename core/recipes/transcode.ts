import * as z from 'zod';
import type { VideoFormat } from '../media/formats.ts';
import { evenSize } from '../media/size.ts';
import { requireMovingPicture } from '../media/streams.ts';
import { codecsOf, defaultCrf, type VideoCodec, videoCodecs } from '../media/video-codecs.ts';
import { encodeVideo } from './encode-video.ts';
import { defineRecipe } from './recipe.ts';

const highestCrf: Record<VideoCodec, number> = { h264: 51, h265: 51, vp9: 63, av1: 63 };

const parameters = z
  .strictObject({
    codec: z.enum(videoCodecs).optional().meta({
      description: 'Codec of the picture: VP9 where left out in webm, otherwise H.264.',
    }),
    crf: z.number().min(1).max(63).optional().meta({
      description:
        'Constant quality, lower looks better and is larger: up to 51 for h264 (23 where left out) and h265 (28), up to 63 for vp9 (32) and av1 (35).',
    }),
    bitrate: z.int().min(50).max(100_000).optional().meta({
      description: 'Target bit rate of the picture in kbit/s, instead of crf.',
    }),
    fps: z.number().min(1).max(120).optional().meta({
      description: 'Frames a second, constant. Where left out every frame keeps its own time.',
    }),
    audioBitrate: z
      .int()
      .min(32)
      .max(320)
      .default(128)
      .meta({ description: 'Bit rate of the sound in kbit/s.' }),
  })
  .refine(({ crf, bitrate }) => crf === undefined || bitrate === undefined, {
    path: ['bitrate'],
    message: 'Give crf or bitrate, not both',
  });

export const transcode = defineRecipe({
  name: 'transcode',
  title: 'Transcode',
  description:
    'Encodes a video anew with the codec, quality and frame rate of your choice, in the size it has.',
  formats: ['mp4', 'webm', 'mkv', 'mov'],
  parameters,
  example: { output: { format: 'webm' }, recipe: { name: 'transcode', codec: 'vp9', crf: 34 } },
  conflicts({ codec: asked, crf = 0 }, format) {
    const codecs = codecsOf[format as VideoFormat];
    const codec = asked ?? codecs[0];
    if (!codecs.includes(codec)) {
      return [
        { path: 'recipe.codec', message: `The format ${format} takes ${codecs.join(', ')}, not ${codec}` },
      ];
    }
    if (crf <= highestCrf[codec]) return [];
    return [{ path: 'recipe.crf', message: `The highest crf of ${codec} is ${highestCrf[codec]}` }];
  },
  plan(input) {
    const { codec: asked, crf, bitrate, fps, audioBitrate } = input.parameters;
    const codec = asked ?? codecsOf[input.format as VideoFormat][0];
    return encodeVideo(input, {
      codec,
      quality: bitrate === undefined ? { crf: crf ?? defaultCrf[codec] } : { bitrateKbps: bitrate },
      audioBitrateKbps: audioBitrate,
      picture: { scale: evenSize(requireMovingPicture(input.probe)), framesPerSecond: fps },
    });
  },
});
