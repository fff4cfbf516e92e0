import * as z from 'zod';

/** The parameter of every recipe that encodes picture and sound. */
export const audioBitrateParameter = z
  .int()
  .min(32)
  .max(320)
  .default(128)
  .meta({ description: 'Bit rate of the sound in kbit/s.' });
