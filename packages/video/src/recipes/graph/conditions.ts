import * as z from 'zod';
import type { Probe } from '../../media/probe/probe.ts';
import { mainAudio, mainVideo } from '../../media/probe/streams.ts';

/** What must hold for the media that an output reads. */
export const conditionSchema = z.strictObject({
  minHeight: z.int().min(1).max(16_384).optional().meta({ description: 'Pixels, as displayed.' }),
  minWidth: z.int().min(1).max(16_384).optional().meta({ description: 'Pixels, as displayed.' }),
  minSeconds: z.number().positive().max(86_400).optional().meta({ description: 'Duration. No image has one.' }),
  hasAudio: z.boolean().optional(),
  hasVideo: z.boolean().optional().meta({ description: 'An image is one.' }),
});

export type Condition = z.output<typeof conditionSchema>;

/** Whether all of a condition holds for a file. */
export function holds(
  { minHeight = 0, minWidth = 0, minSeconds = 0, hasAudio, hasVideo }: Condition,
  probe: Probe,
): boolean {
  const video = mainVideo(probe);
  const { width, height, pixelAspect } = video ?? { width: 0, height: 0, pixelAspect: 1 };
  const audio = mainAudio(probe) !== undefined;
  return (
    height >= minHeight &&
    Math.round(width * pixelAspect) >= minWidth &&
    (probe.durationSeconds ?? 0) >= minSeconds &&
    (hasAudio ?? audio) === audio &&
    (hasVideo ?? video !== undefined) === (video !== undefined)
  );
}
