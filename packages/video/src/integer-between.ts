import * as z from 'zod';

/** An integer within bounds. Its error messages say what it must be. */
export const integerBetween = (min: number, max: number) =>
  z
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);
