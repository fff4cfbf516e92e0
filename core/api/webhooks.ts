import * as z from 'zod';
import { webhookPayloadSchema } from '../webhooks/payload.ts';
import type { WebhookContract } from './contract.ts';
import { completedJobExample } from './job-examples.ts';

const { jobId, output, output_files, metadata } = completedJobExample;
const timestamp = Date.parse('2026-11-21T09:31:12.480Z');

/** The one webhook: a job has ended. */
export const jobEndedWebhook = {
  id: 'jobEnded',
  tag: 'Deliveries',
  summary: 'A job has ended',
  description:
    "Sent to the job's `webhookUrl`, else to the default webhook URL, when the job enters a terminal state. Signed after Standard Webhooks 1.0. A 2xx whose answer is complete within 10 seconds and 64 KiB is success; anything else, a redirect included, is tried again after 500 ms and after 1 s more, three attempts in all. The same event may come twice under the same `webhook-id`.",
  headers: z.object({
    'webhook-id': z.string().meta({ description: 'The same on every attempt to deliver this event.' }),
    'webhook-timestamp': z.string().meta({ description: 'Time of the attempt, in Unix seconds.' }),
    'webhook-signature': z.string().meta({
      description:
        '`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`; two, separated by a space, while a secret is replaced.',
    }),
  }),
  body: webhookPayloadSchema,
  examples: {
    completed: {
      summary: 'A completed job',
      value: {
        data: {
          jobId,
          state: 'completed',
          progress: 100,
          output: { signedUrl: output?.signedUrl },
          output_files,
          metadata,
        },
        timestamp,
      },
    },
    failed: {
      summary: 'A failed job',
      value: {
        data: {
          jobId,
          state: 'failed',
          progress: 35,
          error: {
            code: 'TRANSCODE_ERROR',
            message: 'The encoder stopped before the end of the input.',
            stage: 'transcoding',
            retryable: true,
          },
        },
        timestamp,
      },
    },
  },
} as const satisfies WebhookContract;
