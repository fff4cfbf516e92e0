import { type Mutant, soon } from './mutant.ts';
import { answering, answerOf, asking, instead, on, parsed, setting } from './mutation.ts';
import type { Mutation } from './proxy.ts';

const createJob = 'POST /api/v1/jobs';
const putSettings = 'PUT /api/v1/settings';
const testWebhook = 'POST /api/v1/settings/webhook/test';

/** Whatever job is asked for, answers with the first that was made. */
function alwaysTheFirst(): Mutation {
  let first = '';
  const remembering = answering(createJob, ({ jobId }) => {
    if (first === '') first = String(jobId);
  });
  const confusing = on('GET /api/v1/jobs/:id', (request, forward) =>
    forward({ ...request, path: `/api/v1/jobs/${first}` }),
  );
  return (request, forward) => remembering(request, (same) => confusing(same, forward));
}

/** Says that it set the default webhook, and did not. */
const setsNothing = (isMeant: (url: unknown) => boolean): Mutation =>
  on(putSettings, async (request, forward) => {
    const url = parsed(request.body)?.defaultWebhookUrl;
    return isMeant(url) ? answerOf(200, { defaultWebhookUrl: url }) : forward(request);
  });

export const endpointMutants: Mutant[] = [
  {
    breaks: 'endpoints.authentication',
    how: 'reads the settings to anyone',
    found: /GET \/api\/v1\/settings with no credential was answered 200/,
    api: ({ apiKey }) =>
      on('GET /api/v1/settings', (request, forward) =>
        forward({ ...request, headers: { authorization: `Bearer ${apiKey}`, ...request.headers } }),
      ),
  },
  {
    breaks: 'endpoints.json',
    how: 'calls its JSON a text',
    found: /GET \/api\/v1\/jobs answered with the content type text\/plain/,
    api: () =>
      on('GET /api/v1/jobs', async (request, forward) => {
        const answer = await forward(request);
        answer.headers.set('content-type', 'text/plain');
        return answer;
      }),
  },
  {
    breaks: 'endpoints.content-type',
    how: 'does not know JSON by its full name',
    found: /POST \/api\/v1\/jobs answered 415/,
    api: () =>
      on(createJob, async (request, forward) =>
        request.headers['content-type'] === 'application/json' ? forward(request) : answerOf(415),
      ),
  },
  {
    breaks: 'endpoints.create-job',
    how: 'answers with the id of no job',
    found: /GET \/api\/v1\/jobs\/none answered 404/,
    api: () => setting(createJob, 'jobId', 'none'),
  },
  {
    breaks: 'endpoints.list-jobs',
    how: 'lists nothing',
    found: /a job just created is not in the list of jobs/,
    api: () => setting('GET /api/v1/jobs', 'jobs', []),
  },
  {
    breaks: 'endpoints.get-job',
    how: 'answers with another job than the one asked for',
    found: /jobId of a job that was asked for is/,
    api: alwaysTheFirst,
  },
  {
    breaks: 'endpoints.get-settings',
    how: 'leaves out a field',
    found: /the settings record lacks updatedAt/,
    api: () => setting('GET /api/v1/settings', 'updatedAt', undefined),
  },
  {
    breaks: 'endpoints.post-settings',
    how: 'forgets what is posted',
    found: /defaultWebhookUrl after it was set is null/,
    api: () => instead('POST /api/v1/settings', 200, {}),
  },
  {
    breaks: 'endpoints.put-settings',
    how: 'does not clear the default',
    found: /defaultWebhookUrl after it was set is "https/,
    api: () => setsNothing((url) => url === null),
  },
  {
    breaks: 'endpoints.test-webhook',
    how: 'gives the status as a text',
    found: /status is "502", which is no integer/,
    api: () => setting(testWebhook, 'status', '502'),
  },
  {
    breaks: 'rules.1',
    how: 'takes a default by POST alone',
    found: /the default webhook URL set by PUT was not told of its job/,
    api: () => setsNothing((url) => url !== null),
    patience: soon,
  },
  {
    breaks: 'rules.2',
    how: 'does not clear the default',
    found: /an address that was cleared as the default was sent 1 webhooks, not 0/,
    api: () => setsNothing((url) => url === null),
  },
  {
    breaks: 'rules.3.success',
    how: 'says that a test went well without one',
    found: /a test sent nothing to the default URL/,
    api: () => instead(testWebhook, 200, { ok: true, status: 200 }),
  },
  {
    breaks: 'rules.3.failure',
    how: 'says that every test went well',
    found: /the result of a test that fails is \{"ok":true,"status":500\}/,
    api: () => setting(testWebhook, 'ok', true),
  },
  {
    breaks: 'rules.4',
    how: "tells the default instead of the job's own",
    found: /a job's own webhookUrl was not told of its job/,
    api: () =>
      asking(createJob, (body) => {
        delete body.webhookUrl;
      }),
    patience: soon,
  },
];
