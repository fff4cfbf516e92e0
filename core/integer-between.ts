import * as z from 'zod';

/** A whole number within bounds, whose refusals say what it must be. */
export const integerBetween = (least: number, most: number) =>
  z
    .int(`must be a whole number from ${least} to ${most}`)
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`);
