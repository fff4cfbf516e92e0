import * as z from 'zod';
import { formats } from '../../media/formats.ts';
import type { Probe } from '../../media/probe/probe.ts';
import { mainAudio, mainVideo } from '../../media/probe/streams.ts';
import { integer } from '../../values.ts';

/** What must hold for the media that an output reads. */
export const conditionSchema = z.strictObject({
  minHeight: integer(1, 16_384).optional().meta({ description: 'Pixels, as displayed.' }),
  minWidth: integer(1, 16_384).optional().meta({ description: 'Pixels, as displayed.' }),
  minSeconds: z.number().positive().max(86_400).optional().meta({ description: 'Duration. No image has one.' }),
  hasAudio: z.boolean().optional(),
  hasVideo: z.boolean().optional().meta({ description: 'An image counts as video.' }),
});

export type Condition = z.output<typeof conditionSchema>;

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

/** The kinds of files from those that are made fast to those that take the longest. */
const fastFirst = ['data', 'subtitle', 'image', 'audio', 'video', 'playlist'] as const;

/**
 * The names of outputs in the order in which they are made: of those that can be made, the fast ones first. It depends on the
 * request alone, so every worker of a job has the same.
 * @throws TypeError for outputs that read each other in a circle, or one that does not exist
 */
export function runOrder(outputs: Readonly<Record<string, { from?: string | undefined; format: string }>>): string[] {
  const open = new Map(Object.entries(outputs));
  const names: string[] = [];
  const rankOf = ({ format }: { format: string }) =>
    fastFirst.findIndex((fileType) =>
      Object.entries(formats).some(([name, each]) => name === format && each.fileType === fileType),
    );
  while (open.size > 0) {
    const ready = [...open].filter(([, { from }]) => from === undefined || names.includes(from));
    const [[next] = []] = ready.toSorted(([, one], [, other]) => rankOf(one) - rankOf(other));
    if (next === undefined) throw new TypeError('The outputs of a job read each other in a circle');
    names.push(next);
    open.delete(next);
  }
  return names;
}
