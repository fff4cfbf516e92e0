import { type Mutant, soon } from './mutant.ts';
import { aProxyResponse, asking, changingResponse, instead, on, parsed, setting } from './mutation.ts';
import type { Mutation } from './proxy.ts';

const createJob = 'POST /api/v1/jobs';
const putSettings = 'PUT /api/v1/settings';
const testWebhook = 'POST /api/v1/settings/webhook/test';

/** Returns the first job for every id. */
function alwaysTheFirst(): Mutation {
  let first = '';
  const remembering = changingResponse(createJob, ({ jobId }) => {
    if (first === '') first = String(jobId);
  });
  const confusing = on('GET /api/v1/jobs/:id', (request, forward) =>
    forward({ ...request, path: `/api/v1/jobs/${first}` }),
  );
  return (request, forward) => remembering(request, (same) => confusing(same, forward));
}

/** Reports a change of the default URL without making it. */
const setsNothing = (isMeant: (url: unknown) => boolean): Mutation =>
  on(putSettings, async (request, forward) => {
    const url = parsed(request.body)?.defaultWebhookUrl;
    return isMeant(url) ? aProxyResponse(200, { defaultWebhookUrl: url }) : forward(request);
  });

export const endpointMutants: Mutant[] = [
  {
    breaks: 'endpoints.authentication',
    how: 'returns the settings without authentication',
    found: /GET \/api\/v1\/settings with no credential returned 200/,
    api: ({ apiKey }) =>
      on('GET /api/v1/settings', (request, forward) =>
        forward({ ...request, headers: { authorization: `Bearer ${apiKey}`, ...request.headers } }),
      ),
  },
  {
    breaks: 'endpoints.json',
    how: 'returns JSON with the content type text',
    found: /GET \/api\/v1\/jobs returned the content type text\/plain/,
    api: () =>
      on('GET /api/v1/jobs', async (request, forward) => {
        const response = await forward(request);
        response.headers.set('content-type', 'text/plain');
        return response;
      }),
  },
  {
    breaks: 'endpoints.content-type',
    how: 'rejects a content type with a charset',
    found: /POST \/api\/v1\/jobs returned 415/,
    api: () =>
      on(createJob, async (request, forward) =>
        request.headers['content-type'] === 'application/json' ? forward(request) : aProxyResponse(415),
      ),
  },
  {
    breaks: 'endpoints.create-job',
    how: 'returns an unknown job id',
    found: /GET \/api\/v1\/jobs\/none returned 404/,
    api: () => setting(createJob, 'jobId', 'none'),
  },
  {
    breaks: 'endpoints.list-jobs',
    how: 'returns an empty list',
    found: /a job just created is not in the list of jobs/,
    api: () => setting('GET /api/v1/jobs', 'jobs', []),
  },
  {
    breaks: 'endpoints.get-job',
    how: 'returns another job',
    found: /jobId of a job that was asked for is/,
    api: alwaysTheFirst,
  },
  {
    breaks: 'endpoints.get-settings',
    how: 'omits a field',
    found: /the settings record lacks updatedAt/,
    api: () => setting('GET /api/v1/settings', 'updatedAt', undefined),
  },
  {
    breaks: 'endpoints.post-settings',
    how: 'ignores a POST of settings',
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
    how: 'returns the status as a string',
    found: /status is "502", expected integer/,
    api: () => setting(testWebhook, 'status', '502'),
  },
  {
    breaks: 'rules.1',
    how: 'accepts a default URL only by POST',
    found: /the default webhook URL set by PUT received no webhook for its job/,
    api: () => setsNothing((url) => url !== null),
    timeouts: soon,
  },
  {
    breaks: 'rules.2',
    how: 'does not clear the default',
    found: /a URL that was cleared as the default received 1 webhooks instead of 0/,
    api: () => setsNothing((url) => url === null),
  },
  {
    breaks: 'rules.3.success',
    how: 'reports a successful test without sending it',
    found: /a test sent nothing to the default URL/,
    api: () => instead(testWebhook, 200, { ok: true, status: 200 }),
  },
  {
    breaks: 'rules.3.failure',
    how: 'reports every test as successful',
    found: /the result of a test that fails is \{"ok":true,"status":500\}/,
    api: () => setting(testWebhook, 'ok', true),
  },
  {
    breaks: 'rules.4',
    how: "uses the default URL instead of the job's own",
    found: /a job's own webhookUrl received no webhook for its job/,
    api: () =>
      asking(createJob, (body) => {
        delete body.webhookUrl;
      }),
    timeouts: soon,
  },
];
