import * as z from 'zod';
import { webhookPayloadSchema } from '../webhooks/payload.ts';
import type { WebhookContract } from './contract.ts';
import { completedJobExample } from './job-examples.ts';

const { jobId, output, output_files, metadata } = completedJobExample;
const timestamp = Date.parse('2026-11-21T09:31:12.480Z');

export const jobEndedWebhook = {
  id: 'jobEnded',
  tag: 'Deliveries',
  summary: 'A job has ended',
  description:
    "Sent to the job's `webhookUrl`, else to the default webhook URL, when the job enters a terminal state. Signed as Standard Webhooks 1.0 specifies. A delivery succeeds with a 2xx status within 10 seconds; the response body does not matter. Anything else, including redirects, is retried 500 ms and then 1 s later by default; a stage can have one to ten attempts and other delays. An event may arrive twice with the same `webhook-id`.",
  headers: z.object({
    'webhook-id': z.string().describe('Identifies the event. Every attempt sends the same one.'),
    'webhook-timestamp': z.string().describe('Time of the attempt, in Unix seconds.'),
    'webhook-signature': z
      .string()
      .describe(
        '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. Several signatures, separated by spaces, for 24 hours after a rotation of the secret.',
      ),
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
