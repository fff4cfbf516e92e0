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

export const getOpenapiContract = contract({
  id: 'getOpenapi',
  function: 'submission',
  method: 'GET',
  path: '/api/v1/openapi.json',
  tag: 'About',
  summary: 'Read this document',
  callers: [],
  responses: {
    200: {
      description: 'The OpenAPI 3.1 document of this API.',
      schema: z.looseObject({ openapi: z.string(), info: z.looseObject({ version: z.string() }) }),
      example: { openapi: '3.1.1', info: { title: 'Media jobs', version: '1.0.0' }, paths: {} },
    },
  },
  uses: [],
});
