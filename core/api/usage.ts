import * as z from 'zod';
import { jobStates, terminalStates } from '../jobs/states.ts';
import { contract } from './contract.ts';

/** UTC days that one response covers. */
export const maxUsageDays = 31;

/** Jobs that one response counts of those that are queued, and of those that are processing. */
export const maxUnfinishedUsage = 10_000;

const date = z.iso.date();
const earliestDate = '2000-01-01';
const requestDate = date.refine((day) => day >= earliestDate, `Must not be before ${earliestDate}`);
const count = z.int().min(0);

const countsOf = <State extends string>(states: readonly State[]) =>
  z.object(Object.fromEntries(states.map((state) => [state, count])) as Record<State, typeof count>);

const sums = {
  mediaSeconds: z.number().min(0).describe('Total duration of the inputs.'),
  computeSeconds: z
    .number()
    .min(0)
    .describe(
      "Total time from each job's last claim to its end. Functions that encode its chunks in parallel do not add to it.",
    ),
  outputBytes: count,
  usd: z.number().min(0).describe('Dollars that the ended jobs have cost, including deleted ones.'),
};

const groupSchema = z
  .object({
    keyId: z.string().nullable().optional().meta({
      description:
        'With `key` in `by`. A key that another key created counts as that key. null: jobs of sessions, and of service versions that did not record the key.',
    }),
    recipe: z.string().nullable().optional().meta({
      description:
        'With `recipe` in `by`: the name of the recipe, `pipeline` for jobs with several steps, `outputs` for jobs with several outputs. null: jobs of service versions that did not record it.',
    }),
    preset: z.string().nullable().optional().meta({
      description: 'With `preset` in `by`: the version, such as `course@2`. null: jobs of no preset.',
    }),
    value: z.string().nullable().optional().meta({
      description:
        'With `metadata.<key>`: the value of the jobs. null: jobs without the key. Deleted jobs are in no such group.',
    }),
    jobs: countsOf(terminalStates),
    ...sums,
  })
  .meta({ id: 'UsageGroup' });

export type GroupUsage = z.output<typeof groupSchema>;

const daySchema = z
  .object({
    date,
    jobs: countsOf(jobStates),
    ...sums,
    groups: z
      .array(groupSchema)
      .optional()
      .describe('With `by` only: the ended jobs of each group, the most expensive first.'),
  })
  .meta({ id: 'UsageDay' });

export type UsageDay = z.output<typeof daySchema>;

export const getUsageContract = contract({
  id: 'getUsage',
  function: 'usage',
  method: 'GET',
  path: '/api/v1/usage',
  tag: 'Usage',
  summary: 'Read daily usage',
  description: `Counts undeleted jobs by UTC day of creation, over at most ${maxUsageDays} days of the last 400. An ended job is counted as such when its first webhook delivery ends, which takes a second unless the receiver fails.`,
  callers: ['key', 'session'],
  scope: 'jobs:read',
  countsAs: 10,
  query: z.strictObject({
    from: requestDate
      .optional()
      .describe(`First day, not before ${earliestDate}. Default: ${maxUsageDays - 1} days before \`to\`.`),
    to: requestDate.optional().describe(`Last day, inclusive, not before ${earliestDate}. Default: today.`),
    by: z
      .string()
      .regex(
        /^((key|recipe|preset)(,(key|recipe|preset)){0,2}|metadata\..{1,40})$/su,
        'Must be key, recipe or preset, several of them with commas between, or metadata.<key>',
      )
      .optional()
      .meta({
        description:
          'Adds `groups` to each day: `key`, `recipe` or `preset`, several of them with commas between, or `metadata.<key>`.',
      }),
  }),
  responses: {
    200: {
      description: 'One entry per day, oldest first.',
      schema: z.object({
        days: z.array(daySchema),
        truncated: z
          .boolean()
          .describe(
            `true: some jobs are not counted. Of more than ${maxUnfinishedUsage} queued jobs only the newest are. If very many keys and recipes had jobs, ended jobs of the first days are missing. Groups by metadata count the newest ${maxUnfinishedUsage} jobs of the period.`,
          ),
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
  uses: ['table.get', 'table.query', 'waiting.query'],
});

const amount = z.number().min(0);

export const getLimitsContract = contract({
  id: 'getLimits',
  function: 'usage',
  method: 'GET',
  path: '/api/v1/limits',
  tag: 'Usage',
  summary: 'Read your limits and their use',
  description:
    'A request above a limit answers 429 `LIMIT_EXCEEDED`; a job above a running limit waits. The use is that of the owner, by all keys and sessions. On a stage of one team only a key has limits. The counts of jobs may be seconds old. `usdPerDay` and `usdPerMonth` are listed where the owner or the calling key has them: their use is what jobs have cost and what is reserved for running ones, of the cap that leaves the least.',
  callers: ['key', 'session'],
  scope: 'any',
  responses: {
    200: {
      description: 'The limits of the owner, or of the calling key where that is lower.',
      schema: z.object({
        limits: z.array(
          z
            .object({
              limit: z.string().describe('The name, as in `details` of `LIMIT_EXCEEDED`.'),
              value: amount,
              use: amount.nullable().describe('null for a limit of each job.'),
            })
            .meta({ id: 'OwnerLimit' }),
        ),
      }),
      example: {
        limits: [
          { limit: 'maxUnfinishedJobs', value: 1000, use: 42 },
          { limit: 'maxRunningJobs', value: 10, use: 10 },
          { limit: 'maxUploadBytesPerDay', value: 100_000_000_000, use: 5_213_884_416 },
          { limit: 'maxRedeliveriesPerJob', value: 10, use: null },
          { limit: 'usdPerDay', value: 5, use: 1.284213907 },
        ],
      },
    },
  },
  uses: ['table.get', 'waiting.query'],
});
