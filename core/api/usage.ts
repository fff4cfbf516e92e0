import * as z from 'zod';
import { jobStates } from '../jobs/states.ts';
import { contract } from './contract.ts';

/** UTC days that one response covers. */
export const maxUsageDays = 31;

/** Jobs that one response counts of those that are queued, and of those that are processing. */
export const maxUnfinishedUsage = 10_000;

const date = z.iso.date();
const count = z.int().min(0);

export const getUsageContract = contract({
  id: 'getUsage',
  method: 'GET',
  path: '/api/v1/usage',
  tag: 'Usage',
  summary: 'Read daily usage',
  description: `Counts undeleted jobs by UTC day of creation, over at most ${maxUsageDays} days of the last 400. An ended job is counted as such when its first webhook delivery ends, which takes a second unless the receiver fails.`,
  callers: ['key', 'session'],
  scope: 'jobs:read',
  query: z.strictObject({
    from: date
      .optional()
      .meta({ description: `First day. Default: ${maxUsageDays - 1} days before \`to\`.` }),
    to: date.optional().meta({ description: 'Last day, inclusive. Default: today.' }),
  }),
  responses: {
    200: {
      description: 'One entry per day, oldest first.',
      schema: z.object({
        days: z.array(
          z
            .object({
              date,
              jobs: z.object(
                Object.fromEntries(jobStates.map((state) => [state, count])) as Record<
                  (typeof jobStates)[number],
                  typeof count
                >,
              ),
              mediaSeconds: z.number().min(0).meta({ description: 'Total duration of the inputs.' }),
              computeSeconds: z.number().min(0).meta({
                description:
                  "Total time from each job's last claim to its end. Functions that encode its chunks in parallel do not add to it.",
              }),
              outputBytes: count,
              usd: z.number().min(0).meta({
                description: 'Dollars that the ended jobs have cost, deleted ones included.',
              }),
            })
            .meta({ id: 'UsageDay' }),
        ),
        truncated: z.boolean().meta({
          description: `Whether the period has more than ${maxUnfinishedUsage} queued or processing jobs. Only the newest of them are counted then.`,
        }),
      }),
      example: {
        days: [
          {
            date: '2026-11-21',
            jobs: { queued: 0, processing: 1, completed: 41, failed: 1, rejected: 2, cancelled: 0 },
            mediaSeconds: 5113.48,
            computeSeconds: 2904.1,
            outputBytes: 811_402_113,
            usd: 0.184213907,
          },
        ],
        truncated: false,
      },
    },
  },
  errors: [],
  uses: ['table.query'],
});
