import * as z from 'zod';
import { version } from '../version.ts';
import { contract } from './contract.ts';

export const getHealthContract = contract({
  id: 'getHealth',
  function: 'submission',
  method: 'GET',
  path: '/health',
  tag: 'About',
  summary: 'Check that the API answers',
  description: 'For monitors. It calls no other service, so it answers while one of them is down.',
  callers: [],
  responses: {
    200: {
      description: 'The API answers.',
      schema: z.object({ ok: z.literal(true), version: z.string() }),
      example: { ok: true, version },
    },
  },
  uses: [],
});
