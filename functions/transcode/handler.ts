import { tmpdir } from 'node:os';
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { jobLogs } from '../../adapters/dynamodb/job-logs.ts';
import { ffmpegEncoder } from '../../adapters/ffmpeg/encoder.ts';
import { openWorkspace, removeWorkspaces } from '../../adapters/filesystem/workspace.ts';
import { downloadInput } from '../../adapters/http/download-input.ts';
import { downloadUpload } from '../../adapters/s3/download-upload.ts';
import { mediaFiles } from '../../adapters/s3/media-files.ts';
import { mostPixels } from '../../core/media/limits.ts';
import { readUploadUrl, uploadKey } from '../../core/uploads/upload.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { s3Client } from '../runtime/clients/s3.ts';
import { endingPorts } from '../runtime/ending-ports.ts';
import { readEnv } from '../runtime/env.ts';
import { beginLog, logger, loggingFailure } from '../runtime/logger.ts';
import { urlRules } from '../runtime/url-rules.ts';
import { userAgent } from '../runtime/user-agent.ts';
import { transcode } from './app.ts';
import { workerEnvSchema } from './worker-env.ts';

const env = readEnv(workerEnvSchema);
const { reachable } = urlRules().input;

/** Kept at the end of the function's life for the terminal write, and for removing what a failed job left. */
const reserveMs = 30_000;
const downloadTimes = {
  totalMs: env.DOWNLOAD_SECONDS * 1000,
  idleMs: 30_000,
  connectMs: 10_000,
};

const media = { client: s3Client(env.AWS_ENDPOINT_URL_S3), bucket: env.MEDIA_BUCKET };

const work = transcode({
  ...endingPorts(),
  download: ({ ownerId, maxBytes, ...request }) => {
    const upload = readUploadUrl(request.url);
    if (upload !== undefined) {
      const key = uploadKey(ownerId, upload.objectId);
      return downloadUpload(media, { ...request, key, maxBytes });
    }
    return downloadInput({
      ...request,
      limits: { ...downloadTimes, maxBytes },
      reachable,
      userAgent: userAgent(),
    });
  },
  encoder: ffmpegEncoder({
    ffmpegPath: env.FFMPEG_PATH,
    ffprobePath: env.FFPROBE_PATH,
    bounds: { maxPixels: mostPixels(env.INPUT_LIMITS) },
    ...(env.FFMPEG_LIBRARY_PATH === undefined ? {} : { libraryPath: env.FFMPEG_LIBRARY_PATH }),
  }),
  fontsDirectory: env.FONTS_PATH,
  files: mediaFiles(media.client, media.bucket),
  logs: jobLogs(dynamo, env.TABLE_NAME),
  openWorkspace: async () => {
    // A worker has one job at a time: whatever lies there is a dead one's, and the disk holds one input only.
    await removeWorkspaces(tmpdir());
    return openWorkspace(tmpdir());
  },
  limits: env.INPUT_LIMITS,
  stallSeconds: env.STALL_SECONDS,
  retentionMs: env.OUTPUT_RETENTION_DAYS * 24 * 3_600_000,
  onUnexpected: ({ jobId }, cause) => logger.error('A job failed inside', { jobId, error: cause }),
});

const messageSchema = z.object({ ownerId: z.string(), jobId: z.string() });
const batch = new BatchProcessor(EventType.SQS);

async function takeJob({ body, messageId }: SQSRecord, context: Context): Promise<void> {
  beginLog(context, { messageId });
  await loggingFailure(async () => {
    const ref = messageSchema.parse(JSON.parse(body));
    const deadline = new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMs);
    beginLog(context, ref);
    logger.info('Job taken');
    logger.info('Job left', { result: await work(ref, deadline) });
  });
}

export const handler = (event: SQSEvent, context: Context) =>
  processPartialResponse(event, (record: SQSRecord) => takeJob(record, context), batch, { context });
