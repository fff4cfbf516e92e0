import type { Mutant } from './mutant.ts';
import { aProxyResponse, asking, on, set, telling } from './mutation.ts';
import type { Mutation } from './proxy.ts';

const createJob = 'POST /api/v1/jobs';

/** Returns 201 for rejected requests. */
const acceptsEverything: Mutation = on(createJob, async (request, forward) => {
  const response = await forward(request);
  return response.status === 400 ? aProxyResponse(201, { jobId: 'any' }) : response;
});

export const serviceMutants: Mutant[] = [
  {
    breaks: 'service.jobs',
    how: 'reads another input',
    found: /a job that compresses a video is rejected/,
    api: () => asking(createJob, (body) => set(body, 'input.url', 'https://unreachable.invalid/')),
  },
  {
    breaks: 'service.parts',
    how: 'accepts a job without input, output and mode',
    found: /with nothing but a recipe returned 201/,
    api: () => acceptsEverything,
  },
  {
    breaks: 'service.recipe',
    how: 'ignores crf',
    found: /a crf of 45 made .* MB of what a crf of 20 makes/,
    api: () => asking(createJob, (body) => set(body, 'recipe.crf', 20)),
  },
  {
    breaks: 'service.result',
    how: 'sends another result in the webhook',
    found: /data\.state of the webhook is "failed"/,
    webhooks: () => telling('data.state', 'failed'),
  },
  {
    breaks: 'service.dashboard',
    how: 'has a dashboard that calls another API',
    found: /none of the scripts of \/app calls \/api\/v1/,
    api: () => async (request, forward) => {
      const response = await forward(request);
      if (!request.path.endsWith('.js')) return response;
      return { ...response, body: Buffer.from(response.body.toString().replaceAll('/api/v1/', '/inner/')) };
    },
  },
  {
    breaks: 'request.mode',
    how: 'accepts a request without mode',
    found: /with no mode returned 201/,
    api: () => asking(createJob, (body) => set(body, 'mode', 'recipe')),
  },
  {
    breaks: 'request.input',
    how: 'accepts a request without input',
    found: /with no input returned 201/,
    api: () => acceptsEverything,
  },
  {
    breaks: 'request.output',
    how: 'accepts a request without output',
    found: /with no output returned 201/,
    api: () => asking(createJob, (body) => set(body, 'output', { format: 'mp4' })),
  },
  {
    breaks: 'request.recipe',
    how: 'accepts crf as a string',
    found: /with a crf that is a string returned 201/,
    api: () =>
      asking(createJob, (body) => {
        const { crf } = (body.recipe ?? {}) as { crf?: unknown };
        if (typeof crf === 'string') set(body, 'recipe.crf', Number(crf));
      }),
  },
  {
    breaks: 'request.webhook-url',
    how: 'accepts an invalid webhookUrl',
    found: /with a webhookUrl that is a number returned 201/,
    api: () => asking(createJob, (body) => set(body, 'webhookUrl', undefined)),
  },
];
