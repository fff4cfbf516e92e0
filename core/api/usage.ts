import * as z from 'zod';
import { jobStates } from '../jobs/states.ts';
import { contract } from './contract.ts';

/** The most UTC days that one answer covers. */
export const maxUsageDays = 31;

/** The most jobs that one answer counts. */
export const maxUsageJobs = 10_000;

const date = z.iso.date();
const count = z.int().min(0);

export const getUsageContract = contract({
  id: 'getUsage',
  method: 'GET',
  path: '/api/v1/usage',
  tag: 'Usage',
  summary: 'Read the usage of each day',
  description: `Counts the jobs that have not been deleted by the UTC day of their creation, over at most ${maxUsageDays} days.`,
  callers: ['key', 'session'],
  query: z.strictObject({
    from: date
      .optional()
      .meta({ description: `First day; ${maxUsageDays - 1} days before \`to\` unless given.` }),
    to: date.optional().meta({ description: 'Last day, inclusive; today unless given.' }),
  }),
  responses: {
    200: {
      description: 'One entry for each day, oldest first.',
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
              mediaSeconds: z.number().min(0).meta({ description: 'Length of the inputs.' }),
              computeSeconds: z.number().min(0).meta({
                description:
                  'From the last time that each job was taken by a worker to its end, however many functions worked on its parts.',
              }),
              outputBytes: count,
            })
            .meta({ id: 'UsageDay' }),
        ),
        truncated: z.boolean().meta({
          description: `Whether there are more than ${maxUsageJobs} jobs, of which the newest were counted.`,
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
          },
        ],
        truncated: false,
      },
    },
  },
  errors: [],
  uses: ['table.query'],
});
