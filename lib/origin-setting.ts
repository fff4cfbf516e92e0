import * as z from 'zod';

/** An origin (RFC 6454): scheme, host and perhaps a port. */
export const originSetting = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be an origin such as https://media.example.com, with no path and no final slash',
  );
