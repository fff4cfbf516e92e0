import * as z from 'zod';
import { firstAttemptsSetting } from './capacity.ts';

const unitMs = { m: 60_000, h: 3_600_000 };
const maxWaitMs = 72 * unitMs.h;

/** Milliseconds of a wait such as `30m` or `2h`. */
export function waitMs(wait: string): number {
  const [, count, unit] = /^(\d+)([mh])$/.exec(wait) ?? [];
  return Number(count) * (unit === 'h' ? unitMs.h : unitMs.m);
}

export const webhooksSchema = z.strictObject({
  laterAttempts: z
    .array(
      z
        .string()
        .refine(
          (wait) => waitMs(wait) >= unitMs.m && waitMs(wait) <= maxWaitMs,
          'must be minutes or hours from 1m to 72h, such as 30m',
        ),
    )
    .max(10, 'must hold at most 10 waits')
    .default([])
    .meta({
      description:
        'Waits before further attempts of an abandoned delivery, each from the end of the attempt before, such as `["5m","30m","2h","8h","24h"]`. Empty: there are none.',
    }),
  firstAttempts: firstAttemptsSetting,
});
