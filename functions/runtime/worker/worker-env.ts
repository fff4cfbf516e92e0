import * as z from 'zod';
import { inputLimitsSchema } from '../../../core/media/probe/input-limits.ts';

/** The environment of a function that works on media with ffmpeg. */
export const workerEnvSchema = z.object({
  TABLE_NAME: z.string(),
  MEDIA_BUCKET: z.string(),
  FFMPEG_PATH: z.string(),
  FFPROBE_PATH: z.string(),
  /** Where the programs' shared libraries lie, if not where the system looks. */
  FFMPEG_LIBRARY_PATH: z.string().optional(),
  INPUT_LIMITS: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(inputLimitsSchema),
  OUTPUT_RETENTION_DAYS: z.coerce.number().int().min(1),
  /** Seconds without any progress of ffmpeg after which a job fails. */
  STALL_TIMEOUT_SECONDS: z.coerce.number().min(1),
  AWS_ENDPOINT_URL_S3: z.url().optional(),
});

export type WorkerEnv = z.output<typeof workerEnvSchema>;
