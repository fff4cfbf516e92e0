import * as z from 'zod';
import { apiErrors } from '../errors.ts';

const codes = Object.keys(apiErrors) as [keyof typeof apiErrors, ...(keyof typeof apiErrors)[]];

/** The body of every error response of the service. */
export const errorBodySchema = z
  .object({
    error: z.object({
      code: z.enum(codes),
      message: z.string(),
      retryable: z.boolean().describe('Whether the same request may succeed later.'),
      requestId: z.string().describe('Identifies this request in the logs of the service.'),
      details: z
        .array(
          z.object({
            path: z.string(),
            message: z.string(),
            limit: z.string().optional().describe('The exceeded limit, for `LIMIT_EXCEEDED`.'),
            value: z.number().optional().describe('Its value.'),
            use: z.number().optional().describe('How much of it is in use.'),
          }),
        )
        .optional()
        .describe('Each invalid field and what is wrong with it; or the exceeded limit.'),
    }),
  })
  .meta({ id: 'ErrorBody' });

/** The body of an error response of API Gateway. */
export const gatewayErrorSchema = z.object({ message: z.string() }).meta({ id: 'GatewayError' });

export type ErrorBody = z.infer<typeof errorBodySchema>;
