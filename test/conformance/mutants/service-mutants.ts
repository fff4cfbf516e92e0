import type { Mutant } from './mutant.ts';
import { answerOf, asking, on, set, telling } from './mutation.ts';
import type { Mutation } from './proxy.ts';

const createJob = 'POST /api/v1/jobs';

/** Answers 201 to jobs that are refused. */
const acceptsEverything: Mutation = on(createJob, async (request, forward) => {
  const answer = await forward(request);
  return answer.status === 400 ? answerOf(201, { jobId: 'any' }) : answer;
});

export const serviceMutants: Mutant[] = [
  {
    breaks: 'service.jobs',
    how: 'reads another input than the one it is given',
    found: /a job that compresses a film is rejected/,
    api: () => asking(createJob, (body) => set(body, 'input.url', 'https://unreachable.invalid/')),
  },
  {
    breaks: 'service.parts',
    how: 'takes a job without input, output and mode',
    found: /with nothing but a recipe was answered 201/,
    api: () => acceptsEverything,
  },
  {
    breaks: 'service.recipe',
    how: 'takes no notice of crf',
    found: /a crf of 45 made .* MB of what a crf of 20 makes/,
    api: () => asking(createJob, (body) => set(body, 'recipe.crf', 20)),
  },
  {
    breaks: 'service.result',
    how: 'tells the webhook another result than whoever polls',
    found: /data\.state of the webhook is "failed"/,
    webhooks: () => telling('data.state', 'failed'),
  },
  {
    breaks: 'service.dashboard',
    how: 'has a dashboard that calls something else',
    found: /none of the scripts of \/app calls \/api\/v1/,
    api: () => async (request, forward) => {
      const answer = await forward(request);
      if (!request.path.endsWith('.js')) return answer;
      return { ...answer, body: Buffer.from(answer.body.toString().replaceAll('/api/v1/', '/inner/')) };
    },
  },
  {
    breaks: 'request.mode',
    how: 'does without a mode',
    found: /with no mode was answered 201/,
    api: () => asking(createJob, (body) => set(body, 'mode', 'recipe')),
  },
  {
    breaks: 'request.input',
    how: 'does without an input',
    found: /with no input was answered 201/,
    api: () => acceptsEverything,
  },
  {
    breaks: 'request.output',
    how: 'does without an output',
    found: /with no output was answered 201/,
    api: () => asking(createJob, (body) => set(body, 'output', { format: 'mp4' })),
  },
  {
    breaks: 'request.recipe',
    how: 'reads a text as the number crf',
    found: /with a crf that is a string was answered 201/,
    api: () =>
      asking(createJob, (body) => {
        const { crf } = (body.recipe ?? {}) as { crf?: unknown };
        if (typeof crf === 'string') set(body, 'recipe.crf', Number(crf));
      }),
  },
  {
    breaks: 'request.webhook-url',
    how: 'overlooks a webhookUrl that is none',
    found: /with a webhookUrl that is a number was answered 201/,
    api: () => asking(createJob, (body) => set(body, 'webhookUrl', undefined)),
  },
];
