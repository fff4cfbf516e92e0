import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { type Contract, contract } from './contract.ts';

const seconds = z.number().min(0);

const watchResourceSchema = z
  .object({
    name: z.string(),
    state: z.enum(['active', 'paused']),
    lastSweepAt: timestampSchema.nullable().describe('null before the first sweep.'),
    objects: z.int().min(0).describe('Objects of the watch at its last sweep.'),
    jobs: z.int().min(0).describe('Those of them that became jobs.'),
    lagSeconds: seconds.describe('Age of the oldest new object without a job at the last sweep; 0 without one.'),
  })
  .meta({ id: 'Watch' });

const example = {
  ...{ name: 'films', state: 'active', lastSweepAt: '2026-11-21T09:20:04.000Z' },
  ...{ objects: 1204, jobs: 1187, lagSeconds: 0 },
};

/** The same message whether no watch has the name or another owner's. */
export const watchNotFoundMessage = 'There is no such watch.';

const params = z.object({ name: z.string().regex(/^[a-z0-9-]{1,40}$/, watchNotFoundMessage) });

export const listWatchesContract = contract({
  id: 'listWatches',
  function: 'settings',
  method: 'GET',
  path: '/api/v1/watches',
  tag: 'Watches',
  summary: 'List watches',
  description: 'The watches of the settings of the stage, whose new objects become jobs, in their order.',
  callers: ['key', 'session'],
  scope: 'jobs:read',
  responses: {
    200: {
      description: 'The watches.',
      schema: z.object({ watches: z.array(watchResourceSchema) }),
      example: { watches: [example] },
    },
  },
  uses: ['watches.list', 'watches.get'],
});

const switching = {
  function: 'settings',
  method: 'POST',
  tag: 'Watches',
  callers: ['session'],
  params,
  uses: ['watches.list', 'watches.get', 'watches.pause'],
  audit: {},
} as const satisfies Partial<Contract>;

const responses = (state: 'active' | 'paused') =>
  ({ 200: { description: 'The watch.', schema: watchResourceSchema, example: { ...example, state } } }) as const;

export const pauseWatchContract = contract({
  ...switching,
  id: 'pauseWatch',
  path: '/api/v1/watches/{name}/pause',
  summary: 'Pause a watch',
  description: 'No object becomes a job until the watch is resumed. An API key cannot pause it.',
  responses: responses('paused'),
});

export const resumeWatchContract = contract({
  ...switching,
  id: 'resumeWatch',
  path: '/api/v1/watches/{name}/resume',
  summary: 'Resume a watch',
  description: 'The next sweep, within five minutes, makes the jobs of the objects that were stored meanwhile.',
  responses: responses('active'),
});
