import * as z from 'zod';
import { contract } from './contract.ts';

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
              limit: z.string().meta({ description: 'The name, as in `details` of `LIMIT_EXCEEDED`.' }),
              value: amount,
              use: amount.nullable().meta({ description: 'null for a limit of each job.' }),
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
