import * as z from 'zod';
import { feedDays } from '../feed/feed-entry.ts';
import { jobEventSchema, jobStates } from '../jobs/states.ts';
import { requestTimestampSchema, timestampSchema } from '../timestamp.ts';
import { webhookPayloadSchema } from '../webhooks/payload.ts';
import { contract } from './contract.ts';
import { listOf, pageLimitSchema, requestUuid } from './field-schemas.ts';
import { jobResourceSchema } from './job-resource.ts';

const changeSchema = z.object({
  jobId: z.string(),
  state: z.enum(jobStates),
  progress: z.int().min(0).max(100),
  output: z.string().optional().describe('The output that has ended, of a job of several.'),
  outputState: jobEventSchema.shape.output.unwrap().shape.state.optional(),
});

/** An event of the feed in API responses. */
export const eventResourceSchema = z
  .object({
    id: z.string().describe('Identifies the event. Every read has the same one.'),
    jobId: z.string(),
    type: z.enum(jobStates.map((state) => `job.${state}` as const)).meta({
      description:
        'A job is in a new state. A further `job.processing` or `job.queued` with `data.output`: one of its outputs has ended.',
    }),
    at: timestampSchema,
    data: z
      .union([webhookPayloadSchema.shape.data, changeSchema])
      .describe(
        'Of an ended job that is not deleted: the `data` of its webhook, with URLs signed for this response. Otherwise the state, the progress and the output.',
      ),
  })
  .meta({ id: 'JobEvent' });

export type EventResource = z.output<typeof eventResourceSchema>;

export const eventPageSchema = z.object({
  events: z.array(eventResourceSchema),
  nextCursor: z.string(),
  jobs: z.array(jobResourceSchema).optional(),
});

export type EventPage = z.output<typeof eventPageSchema>;

export const eventStreamType = 'text/event-stream';

/** Fifty ids take two of the ten kilobytes that API Gateway allows for the line and headers of a request. */
const maxFollowedJobs = 50;

const jobId = '019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11';

export const listEventsContract = contract({
  id: 'listEvents',
  function: 'jobs',
  method: 'GET',
  path: '/api/v1/events',
  tag: 'Jobs',
  summary: 'Read the feed of events',
  description: `Every new state of a job and every finished output, oldest first, for ${feedDays} days. Each is listed once. To follow the feed, repeat the request with \`after\` set to the \`nextCursor\` of the response, every few seconds while pages are empty. An event is listed two seconds after the change, in rare cases minutes after it, and none is ever listed before a \`nextCursor\`. With \`Accept: text/event-stream\` the page is a stream of server-sent events that ends after it: an \`EventSource\` that sends your credential connects again by itself, with the last \`id\`, and misses nothing.`,
  callers: ['key', 'session'],
  scope: 'jobs:read',
  query: z.strictObject({
    after: z
      .string()
      .optional()
      .meta({
        description: `The \`nextCursor\` of an earlier response, or a time, such as 2026-03-01T12:00:00Z. Without it the feed begins ${feedDays} days ago.`,
      }),
    limit: pageLimitSchema,
    jobs: listOf(requestUuid(), { max: maxFollowedJobs })
      .optional()
      .meta({
        description: `Ids of up to ${maxFollowedJobs} jobs that you follow, repeated or separated by commas. The response also has these jobs as they are now, so that one request follows all of them.`,
      }),
  }),
  headers: z.object({
    accept: z.string().optional(),
    'last-event-id': z
      .string()
      .optional()
      .describe('The last `id` of a stream of events, in place of `after`. `EventSource` sends it.'),
  }),
  responses: {
    200: {
      description:
        'The events after `after`. A page may be short or empty. `jobs` stands beside them if the request has it: without files, and without deleted jobs. In a stream the `id` of an event is the cursor after it, and an event of the type `job` is one of `jobs`.',
      schema: eventPageSchema,
      text: [eventStreamType],
      example: {
        events: [
          {
            id: `${jobId}.1`,
            jobId,
            type: 'job.processing',
            at: '2026-03-01T12:00:02.250Z',
            data: { jobId, state: 'processing', progress: 0 },
          },
        ],
        nextCursor: 'MDE5YTJjNWU3ZDEwLjd2TlFobmtaMnBqOW85Tk4',
      },
    },
  },
  errors: ['INVALID_CURSOR'],
  uses: ['table.get', 'table.query', 'files.link'],
});

export function afterTime(after: string): Date | undefined {
  return requestTimestampSchema.safeParse(after).success ? new Date(after) : undefined;
}
