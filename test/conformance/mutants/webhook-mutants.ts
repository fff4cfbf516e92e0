import { type Mutant, soon } from './mutant.ts';
import {
  aProxyResponse,
  asking,
  type Json,
  on,
  parsed,
  reportedState,
  set,
  telling,
  tellingBy,
} from './mutation.ts';
import type { Mutation } from './proxy.ts';

/** Sends a webhook to a new default URL. */
const greets: Mutation = on('POST /api/v1/settings', async (request, forward) => {
  const response = await forward(request);
  await fetch(String(parsed(request.body)?.defaultWebhookUrl), { method: 'POST', body: '{"data":{}}' });
  return response;
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
    how: 'sends no webhook for cancelled jobs',
    found: /no webhook arrived for the cancelled job/,
    webhooks: () => async (request, forward) =>
      reportedState(request) === 'cancelled' ? aProxyResponse(200) : forward(request),
    timeouts: soon,
  },
  {
    breaks: 'events.post',
    how: 'sends webhooks with the content type text',
    found: /the content type of a webhook is text\/plain/,
    webhooks: () => (request, forward) =>
      forward({ ...request, headers: { ...request.headers, 'content-type': 'text/plain' } }),
  },
  {
    breaks: 'events.target',
    how: 'ignores the default URL',
    found: /the default webhook URL received no webhook for its job/,
    api: () => asking('PUT /api/v1/settings', (body) => set(body, 'defaultWebhookUrl', null)),
    timeouts: soon,
  },
  {
    breaks: 'events.emitted',
    how: 'sends a webhook to a new default URL',
    found: /the number of webhooks that setting the default caused is 1/,
    api: () => greets,
    timeouts: { silenceMs: 500 },
  },
  {
    breaks: 'payload.job-id',
    how: 'returns another job id',
    found: /data\.jobId is "another"/,
    webhooks: () => telling('data.jobId', 'another'),
  },
  {
    breaks: 'payload.state',
    how: 'reports rejected jobs as failed',
    found: /data\.state of a rejected job is "failed"/,
    webhooks: () => telling('data.state', 'failed', 'rejected'),
  },
  {
    breaks: 'payload.progress',
    how: 'omits the progress of a failed job',
    found: /data\.progress of a failed job is -1/,
    webhooks: () => telling('data.progress', -1, 'failed'),
  },
  {
    breaks: 'payload.output',
    how: 'sends an unsigned URL',
    found: /data\.output\.signedUrl returns 403/,
    webhooks: () => withoutSignature('data.output.signedUrl'),
  },
  {
    breaks: 'payload.outputs',
    how: 'omits outputs',
    found: /outputs is missing, expected object/,
    webhooks: () => telling('data.outputs', undefined),
  },
  {
    breaks: 'payload.output-files',
    how: 'describes only one of two outputs',
    found: /keys of data\.output_files is \["thumbnail-002"\]/,
    webhooks: () => telling('data.output_files.thumbnail-001', undefined),
  },
  {
    breaks: 'payload.error',
    how: 'omits retryable of a failure',
    found: /error\.retryable is missing, expected boolean/,
    webhooks: () => telling('data.error.retryable', undefined),
  },
  {
    breaks: 'payload.timestamp',
    how: 'sends the timestamp in seconds',
    found: /timestamp is \d{10}(\.\d+)?, which is not the present in milliseconds/,
    webhooks: () =>
      tellingBy((body: Json) => {
        body.timestamp = Number(body.timestamp) / 1_000;
      }),
  },
  {
    breaks: 'payload.completed-or-failed',
    how: 'sends an output of a failed job',
    found: /output is there: null/,
    webhooks: () => telling('data.output', null, 'failed'),
  },
];
