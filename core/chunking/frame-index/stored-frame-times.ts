import * as z from 'zod';
import type { FrameTimes } from './frame-index.ts';

/** The times of a source's pictures as a plan keeps them: the first, and then how many follow at which distance. */
export const storedFrameTimesSchema = z.object({
  timeBase: z.object({ numerator: z.int().min(1), denominator: z.int().min(1) }),
  first: z.int(),
  steps: z.array(z.tuple([z.int(), z.int().min(1)])),
});

export type StoredFrameTimes = z.output<typeof storedFrameTimesSchema>;

/** Makes them short: a constant rate is one step. */
export function encodeFrameTimes({ timeBase, pts }: FrameTimes): StoredFrameTimes {
  const steps: [distance: number, count: number][] = [];
  for (let picture = 1; picture < pts.length; picture += 1) {
    const distance = (pts[picture] ?? 0) - (pts[picture - 1] ?? 0);
    const last = steps.at(-1);
    if (last?.[0] === distance) last[1] += 1;
    else steps.push([distance, 1]);
  }
  return { timeBase, first: pts[0] ?? 0, steps };
}

/** The times that were stored. */
export function decodeFrameTimes({ timeBase, first, steps }: StoredFrameTimes): FrameTimes {
  const count = steps.reduce((sum, [, each]) => sum + each, 1);
  const pts = new Float64Array(count);
  let [picture, time] = [0, first];
  pts[0] = time;
  for (const [distance, each] of steps) {
    for (let step = 0; step < each; step += 1) {
      picture += 1;
      time += distance;
      pts[picture] = time;
    }
  }
  return { timeBase, pts };
}
