import * as z from 'zod';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { encodeToSize, targetSizeParameter } from '../../../encoding/video/target-size.ts';
import { encodeToVmaf, targetVmafParameter } from '../../../encoding/video/target-vmaf.ts';
import { defaultPreset, presets } from '../../../media/codecs/video-codecs.ts';
import { evenSizeWithin, maxSidePixels } from '../../../media/frame-size.ts';
import { requireVideo } from '../../../media/probe/streams.ts';
import { integer, number } from '../../../values.ts';
import { audioBitrateParameter, crfLabels, deinterlaceParameter } from '../../parameters/common-parameters.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

const parameters = () =>
  z
    .strictObject({
      crf: number(1, 51).default(28).meta({
        'x-value-labels': crfLabels,
        description:
          'Constant rate factor of x264, 1 to 51. Lower looks better and is larger. The default scores about VMAF 90 on camera footage; 26, about VMAF 93, is hard to tell from the source.',
      }),
      targetVmaf: targetVmafParameter(),
      targetSizeMb: targetSizeParameter(['h264']),
      preset: z
        .enum(presets)
        .default(defaultPreset.h264)
        .meta({ description: 'Encoding effort of x264: slower makes a smaller file of the same quality.' }),
      maxWidth: integer(16, maxSidePixels)
        .optional()
        .meta({ description: 'Maximum width in pixels. The aspect ratio is kept; the video is never enlarged.' }),
      maxHeight: integer(16, maxSidePixels)
        .optional()
        .meta({ description: 'Maximum height in pixels. The aspect ratio is kept; the video is never enlarged.' }),
      deinterlace: deinterlaceParameter(),
      audioBitrate: audioBitrateParameter(),
    })
    .refine(({ targetVmaf, targetSizeMb }) => targetVmaf === undefined || targetSizeMb === undefined, {
      path: ['targetSizeMb'],
      message: 'Give targetVmaf or targetSizeMb, not both',
    });

export const compress = defineRecipe({
  name: 'compress',
  title: 'Compress',
  description: 'Makes a video smaller. The result plays everywhere: H.264 and AAC.',
  formats: ['mp4', 'mov', 'mkv'],
  comparison: 'same-time',
  parameters,
  example: { output: { format: 'mp4' }, recipe: { name: 'compress', crf: 28, maxWidth: 1280 } },
});

export function planCompress(input: RecipeInput<typeof compress>): Plan | PendingPlan {
  const { crf, targetVmaf: target, targetSizeMb: targetMb, preset, audioBitrate } = input.parameters;
  const { maxWidth, maxHeight, deinterlace } = input.parameters;
  const video = requireVideo(input.probe);
  const scale = evenSizeWithin(video, { width: maxWidth, height: maxHeight });
  const encoding = {
    codec: 'h264' as const,
    quality: { crf },
    preset,
    audioBitrateKbps: audioBitrate,
    transform: { scale, deinterlace },
  };
  if (targetMb !== undefined) return encodeToSize(input, { encoding, targetMb });
  if (target === undefined) return encodeVideo(input, encoding);
  return encodeToVmaf(input, { encoding, target });
}
