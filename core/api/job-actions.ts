import * as z from 'zod';
import { attemptLogSchema } from '../jobs/attempt-log.ts';
import { contract } from './contract.ts';
import { cancelledJobExample, retriedJobExample } from './job-examples.ts';
import { idempotencyHeaders, replayedHeader, submissionUses } from './job-fields.ts';
import { jobResourceSchema } from './job-resource.ts';
import { jobParams } from './jobs.ts';

const common = { function: 'jobs', tag: 'Jobs', callers: ['key', 'session'] } as const;

export const getJobLogContract = contract({
  ...common,
  id: 'getJobLog',
  method: 'GET',
  path: '/api/v1/jobs/{id}/log',
  summary: "Read a job's ffmpeg log",
  scope: 'jobs:read',
  params: jobParams,
  responses: {
    200: {
      description: 'One entry per attempt that ran ffmpeg.',
      schema: z.object({
        attempts: z.array(
          z.object({
            attempt: attemptLogSchema.shape.attempt,
            ffmpegVersion: attemptLogSchema.shape.ffmpegVersion,
            serviceVersion: attemptLogSchema.shape.serviceVersion.describe(
              'The version of the service that ran the attempt. Absent in logs before 0.2.0.',
            ),
            isolation: attemptLogSchema.shape.isolation.describe(
              "What the worker's kernel put around ffmpeg: `no_new_privs`, `seccomp`, and `landlock` with its version. Absent without a launcher.",
            ),
            inputs: attemptLogSchema.shape.inputs.describe(
              'Size and SHA-256 of each file that was downloaded, under its name in the commands. Absent in logs of earlier versions of the service.',
            ),
            commands: attemptLogSchema.shape.commands.describe('The exact argument list of each ffmpeg run, in order.'),
            log: attemptLogSchema.shape.log.describe("The last 64 KiB of ffmpeg's log."),
          }),
        ),
      }),
      example: {
        attempts: [
          {
            attempt: 1,
            ffmpegVersion: '7.1.1',
            serviceVersion: '0.2.0',
            isolation: ['no_new_privs', 'seccomp', 'landlock 4'],
            inputs: [
              {
                name: 'input-1',
                bytes: 12_633_187,
                sha256: '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
              },
            ],
            commands: [['-i', 'input-1', '-c:v', 'libx264', '-crf', '28', 'output.mp4']],
            log: 'frame= 1891 fps=212 q=-1.0 Lsize=   12189kB time=00:01:03.00 bitrate=1585.0kbits/s\n',
          },
        ],
      },
    },
  },
  uses: ['table.get', 'table.query'],
});

/** The answer to a key that may change a job and not read it: without what another caller asked for. */
const changedJobSchema = jobResourceSchema
  .extend({
    request: jobResourceSchema.shape.request
      .optional()
      .describe(
        'Absent, as is `metadata`, for a key without the scope `jobs:read`, if another caller sent the request.',
      ),
  })
  .meta({ id: 'ChangedJob' });

export const cancelJobContract = contract({
  ...common,
  id: 'cancelJob',
  method: 'POST',
  path: '/api/v1/jobs/{id}/cancel',
  summary: 'Cancel a job',
  description: 'The job is cancelled at once. Its worker stops within seconds and removes its files.',
  scope: 'jobs:write',
  params: jobParams,
  responses: {
    200: {
      description: 'The job is cancelled, by this or an earlier request.',
      schema: changedJobSchema,
      example: cancelledJobExample,
    },
  },
  errors: ['JOB_NOT_CANCELLABLE'],
  uses: [
    'table.get',
    'table.put',
    'table.update',
    'waiting.query',
    'queue.send',
    'deliveries.start',
    'work.price',
    'parallel.stop',
  ],
});

export const retryJobContract = contract({
  ...common,
  id: 'retryJob',
  method: 'POST',
  path: '/api/v1/jobs/{id}/retry',
  summary: 'Retry a failed, rejected or cancelled job',
  description:
    'Makes a new job of the same request. It fails if the `Idempotency-Key` was used for another request, or if a storage provider of the job no longer exists.',
  scope: 'jobs:write',
  params: jobParams,
  headers: idempotencyHeaders,
  responses: {
    201: {
      description: 'A new job with the same request. The old job does not change.',
      schema: changedJobSchema,
      headers: { Location: 'The path of the new job.', ...replayedHeader },
      example: retriedJobExample,
    },
  },
  errors: ['JOB_NOT_RETRYABLE', 'IDEMPOTENCY_KEY_REUSED', 'LIMIT_EXCEEDED'],
  uses: submissionUses,
});

export const deleteJobContract = contract({
  ...common,
  id: 'deleteJob',
  method: 'DELETE',
  path: '/api/v1/jobs/{id}',
  summary: 'Delete a job and its files',
  description:
    'The job disappears at once, and a pending delivery of its webhook ends. Its files are removed within minutes. Files at a storage provider are yours: they stay unless `files` is `true`.',
  scope: 'jobs:write',
  params: jobParams,
  query: z.strictObject({
    files: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: removes the files of the job at its storage provider too.'),
  }),
  responses: { 204: { description: 'The job was deleted.' } },
  errors: ['JOB_NOT_TERMINAL'],
  uses: ['table.get', 'table.put', 'edge.revoke'],
  audit: {},
});
