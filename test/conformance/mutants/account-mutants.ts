import type { Mutant } from './mutant.ts';
import { changingResponse, instead, type Json, on, setting } from './mutation.ts';
import type { Mutation } from './proxy.ts';

const getSettings = 'GET /api/v1/settings';
const createKey = 'POST /api/v1/keys';

/** Makes a key of another format work. */
const shortKey: Pick<Mutant, 'target' | 'api'> = {
  target: { apiKey: 'nte_short' },
  api:
    ({ apiKey }) =>
    (request, forward) => {
      const { authorization = '', ...headers } = request.headers;
      const known = authorization.replace('nte_short', apiKey);
      return forward({ ...request, headers: { ...headers, authorization: known } });
    },
};

/** Shows created keys in the list. */
function showsKeysAgain(): Mutation {
  let key: unknown;
  const remembering = changingResponse(createKey, (made) => {
    key = made.key;
  });
  const showing = changingResponse('GET /api/v1/keys', ({ keys }) => {
    for (const one of keys as Json[]) one.key = key;
  });
  return (request, forward) => remembering(request, (same) => showing(same, forward));
}

export const accountMutants: Mutant[] = [
  {
    breaks: 'settings.default-webhook-url',
    how: 'returns a string instead of null for the default webhook URL',
    found: /defaultWebhookUrl is "none"/,
    api: () =>
      changingResponse(getSettings, (record) => {
        record.defaultWebhookUrl ??= 'none';
      }),
  },
  {
    breaks: 'settings.default-storage-provider-id',
    how: 'omits defaultStorageProviderId if there is none',
    found: /defaultStorageProviderId is missing/,
    api: () => setting(getSettings, 'defaultStorageProviderId', undefined),
  },
  {
    breaks: 'settings.updated-at',
    how: 'returns timestamps without milliseconds',
    found: /updatedAt is "2026-11-21T09:12:44Z"/,
    api: () => setting(getSettings, 'updatedAt', '2026-11-21T09:12:44Z'),
  },
  {
    breaks: 'key.form',
    how: 'accepts short keys',
    found: /the key of this run has 9 characters/,
    ...shortKey,
  },
  {
    breaks: 'key.shown-once',
    how: 'shows full keys in the list',
    found: /the list of keys shows the full value of a key/,
    api: showsKeysAgain,
  },
  {
    breaks: 'key.revoked',
    how: 'does not delete keys',
    found: /with a key that was deleted returned 200/,
    api: () => instead('DELETE /api/v1/keys/:id', 204),
  },
  {
    breaks: 'authentication.2',
    how: 'creates short keys',
    found: /a new key has 51 characters/,
    api: () =>
      changingResponse(createKey, (made) => {
        made.key = String(made.key).slice(0, -1);
      }),
  },
  { breaks: 'limits.key-length', how: 'accepts short keys', found: /has 9 characters, not 52/, ...shortKey },
  {
    breaks: 'versioning.prefix',
    how: 'also serves paths without the version',
    found: /\/settings responds like the API/,
    api: () => on('GET /settings', (request, forward) => forward({ ...request, path: '/api/v1/settings' })),
  },
  {
    breaks: 'states.terminal',
    how: 'reports rejected jobs as failed',
    found: /state of the job that was to be rejected is "failed"/,
    api: () =>
      changingResponse('GET /api/v1/jobs/:id', (job) => {
        if (job.state === 'rejected') job.state = 'failed';
      }),
  },
];
