import * as z from 'zod';

export const accuracyParameter = () =>
  z.enum(['keyframe', 'frame']).default('keyframe').meta({
    description:
      'keyframe takes the keyframe nearest to each time, for a fraction of the processor time, and exact frames where none is within half an interval. frame decodes up to the exact frames.',
  });

/** From this interval on, seeking to each frame decodes less than the whole video: a keyframe is seldom farther than 10 s. */
export const seekFromSeconds = 30;
