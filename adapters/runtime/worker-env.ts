import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputLimitsSchema, maxDecodedPixels } from '@media-jobs/video/probe';
import {
  ffmpegEncoder,
  type Launcher,
  launcherLayers,
  openWorkspace,
  packetReader,
  removeWorkspaces,
} from '@media-jobs/video/runner';
import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import { pricedStageSchema } from '../../core/pricing/region-prices.ts';
import { jobLogs } from '../dynamodb/job-logs.ts';
import { mediaFiles } from '../s3/media-files.ts';
import { workFiles } from '../s3/work-files.ts';
import { newId, systemClock } from '../system/clock.ts';
import { dynamo } from './clients/dynamo.ts';
import { s3Client } from './clients/s3.ts';
import { logger } from './logger.ts';

export const workerEnvSchema = z.object({
  TABLE_NAME: z.string(),
  MEDIA_BUCKET: z.string(),
  FFMPEG_PATH: z.string(),
  FFPROBE_PATH: z.string(),
  /** The program `vmaf`; empty if ffmpeg has libvmaf. */
  VMAF_PATH: z.string().default(''),
  /** Directory of ffmpeg's shared libraries, if it is not a default of the system. */
  FFMPEG_LIBRARY_PATH: z.string().optional(),
  FONTS_PATH: z.string(),
  /** Directory of the compiled files of `layers/launcher`; empty where there are none. */
  LAUNCHER_DIRECTORY: z.string().default(''),
  INPUT_LIMITS: jsonText(inputLimitsSchema),
  OUTPUT_RETENTION_DAYS: z.coerce.number().int().min(1),
  PRICED_STAGE: jsonText(pricedStageSchema),
  STALL_TIMEOUT_SECONDS: z.coerce.number().min(1),
  AWS_ENDPOINT_URL_S3: z.url().optional(),
  /** Lambda sets it. */
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: z.coerce.number().int().min(128).optional(),
});

/** The dependencies of a function or a Fargate task that runs ffmpeg, besides its job table. */
export function workerPorts(env: z.output<typeof workerEnvSchema>, memoryMb = env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE) {
  const { launcher, isolation } = openLauncher(env);
  const programs = {
    launcher,
    ffmpegPath: env.FFMPEG_PATH,
    ffprobePath: env.FFPROBE_PATH,
    vmafPath: env.VMAF_PATH || undefined,
    encoderLimits: { maxPixels: maxDecodedPixels(env.INPUT_LIMITS) },
    libraryPath: env.FFMPEG_LIBRARY_PATH,
    ...(memoryMb === undefined ? {} : { limits: { memoryBytes: memoryMb * 2 ** 20 } }),
  };
  const bucket = { client: s3Client(env.AWS_ENDPOINT_URL_S3), bucket: env.MEDIA_BUCKET };
  return {
    bucket,
    media: ffmpegEncoder(programs),
    packets: packetReader(programs),
    files: { ...mediaFiles(bucket.client, bucket.bucket), ...workFiles(bucket.client, bucket.bucket) },
    isolation,
    logs: jobLogs(dynamo, env.TABLE_NAME),
    clock: systemClock,
    newId,
    openWorkspace: async () => {
      // A worker has one job at a time: any other workspace was left by a crash and fills the disk.
      await removeWorkspaces(tmpdir());
      return openWorkspace(tmpdir());
    },
    stallSeconds: env.STALL_TIMEOUT_SECONDS,
    money: { stage: env.PRICED_STAGE },
    retentionMs: env.OUTPUT_RETENTION_DAYS * 24 * 3_600_000,
  };
}

const wanted = ['no_new_privs', 'seccomp', 'landlock'];

/** `isolation` has the layers around ffmpeg on this kernel, such as `landlock 7`. */
type Opened = { launcher?: Launcher; isolation?: string[] };

/** The launcher of this worker, if it has one. Logs once which layers its kernel lacks. */
function openLauncher(env: { LAUNCHER_DIRECTORY: string; FONTS_PATH: string }): Opened {
  if (env.LAUNCHER_DIRECTORY === '') return {};
  const launcher = { path: join(env.LAUNCHER_DIRECTORY, 'launcher'), readable: [env.FONTS_PATH] };
  const isolation = launcherLayers(launcher);
  const missing = wanted.filter((layer) => !isolation.some((found) => found.startsWith(layer)));
  if (missing.length > 0) logger.warn('ffmpeg runs with fewer layers of isolation', { missing, isolation });
  return { launcher, isolation };
}
