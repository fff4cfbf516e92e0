import { type Mutant, soon } from './mutant.ts';
import { answerOf, asking, type Json, on, parsed, set, stateTold, telling, tellingBy } from './mutation.ts';
import type { Mutation } from './proxy.ts';

/** Tells a default of its being set. */
const greets: Mutation = on('POST /api/v1/settings', async (request, forward) => {
  const answer = await forward(request);
  await fetch(String(parsed(request.body)?.defaultWebhookUrl), { method: 'POST', body: '{"data":{}}' });
  return answer;
});

function withoutSignature(path: string): Mutation {
  return tellingBy((body) => {
    const { signedUrl } = (body.data as { output: { signedUrl: string } }).output;
    set(body, path, signedUrl.split('?')[0]);
  }, 'completed');
}

export const webhookMutants: Mutant[] = [
  {
    breaks: 'states.webhook',
    how: 'says nothing of cancelled jobs',
    found: /no webhook came about the cancelled job/,
    webhooks: () => async (request, forward) =>
      stateTold(request) === 'cancelled' ? answerOf(200) : forward(request),
    patience: soon,
  },
  {
    breaks: 'events.post',
    how: 'calls the JSON of webhooks a text',
    found: /the content type of a webhook is text\/plain/,
    webhooks: () => (request, forward) =>
      forward({ ...request, headers: { ...request.headers, 'content-type': 'text/plain' } }),
  },
  {
    breaks: 'events.target',
    how: 'has no use for the default',
    found: /the default webhook URL was not told of its job/,
    api: () => asking('PUT /api/v1/settings', (body) => set(body, 'defaultWebhookUrl', null)),
    patience: soon,
  },
  {
    breaks: 'events.emitted',
    how: 'greets a new default',
    found: /the number of webhooks that setting the default caused is 1/,
    api: () => greets,
    patience: { silenceMs: 500 },
  },
  {
    breaks: 'payload.job-id',
    how: 'names another job',
    found: /data\.jobId is "another"/,
    webhooks: () => telling('data.jobId', 'another'),
  },
  {
    breaks: 'payload.state',
    how: 'calls what it rejects failed',
    found: /data\.state of a rejected job is "failed"/,
    webhooks: () => telling('data.state', 'failed', 'rejected'),
  },
  {
    breaks: 'payload.progress',
    how: 'tells of no progress where something failed',
    found: /data\.progress of a failed job is -1/,
    webhooks: () => telling('data.progress', -1, 'failed'),
  },
  {
    breaks: 'payload.output',
    how: 'tells a URL that is not signed',
    found: /data\.output\.signedUrl answers 403/,
    webhooks: () => withoutSignature('data.output.signedUrl'),
  },
  {
    breaks: 'payload.outputs',
    how: 'leaves out the outputs',
    found: /outputs is missing, which is no object/,
    webhooks: () => telling('data.outputs', undefined),
  },
  {
    breaks: 'payload.output-files',
    how: 'describes one of two outputs',
    found: /keys of data\.output_files is \["thumbnail-002"\]/,
    webhooks: () => telling('data.output_files.thumbnail-001', undefined),
  },
  {
    breaks: 'payload.error',
    how: 'does not say whether a failure may be tried again',
    found: /error\.retryable is missing, which is no boolean/,
    webhooks: () => telling('data.error.retryable', undefined),
  },
  {
    breaks: 'payload.timestamp',
    how: 'counts seconds',
    found: /timestamp is \d{10}(\.\d+)?, which is not the present in milliseconds/,
    webhooks: () =>
      tellingBy((body: Json) => {
        body.timestamp = Number(body.timestamp) / 1_000;
      }),
  },
  {
    breaks: 'payload.completed-or-failed',
    how: 'tells an output of what failed',
    found: /output is there: null/,
    webhooks: () => telling('data.output', null, 'failed'),
  },
];
