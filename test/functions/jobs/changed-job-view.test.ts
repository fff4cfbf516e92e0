import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../core/access/authentication.ts';
import type { Scope } from '../../../core/access/scopes.ts';
import { aFailedJob } from '../../builders/jobs/ended-jobs.ts';
import { aQueuedJob } from '../../builders/jobs/jobs.ts';
import { jobRoutes, ref } from './job-routes.ts';

const { jobId } = ref;

describe('the answer to a key', () => {
  const request = { ...aQueuedJob().request, metadata: { customer: 'of the author' } };
  const keyed = (keyId: string, scopes: readonly Scope[]): Principal => ({
    ownerId: ref.ownerId,
    caller: 'key',
    key: { ...ref, keyId, hash: '', limits: {}, scopes: [...scopes] },
  });

  it.each([
    ['the author', keyed('key-1', ['jobs:write']), true],
    ['another key that reads jobs', keyed('key-2', ['jobs:write', 'jobs:read']), true],
    ['another key that does not', keyed('key-2', ['jobs:write']), false],
  ])('has the request and the metadata of a job for %s', async (_, principal, isShown) => {
    const shown = isShown ? [{ mode: 'recipe' }, request.metadata] : [undefined, undefined];
    const contentOf = (body: { request?: object; metadata?: object | undefined }) => [body.request, body.metadata];
    const { cancel, retry } = await jobRoutes({ ...aQueuedJob({ jobId, request }), authorKeyId: 'key-1' });
    const answers = [await cancel(principal), await cancel(principal), await retry('1', jobId, principal)];
    for (const { body } of answers) expect(contentOf(body)).toMatchObject(shown);
  });

  it('has no request of a retry that the key made of a job that it cannot read', async () => {
    const { retry, stored } = await jobRoutes(aFailedJob({ jobId, request, authorKeyId: 'key-1' }));
    const { body } = await retry(undefined, jobId, keyed('key-2', ['jobs:write']));
    expect(await stored(body.jobId)).toMatchObject({ request, authorKeyId: 'key-1' });
  });
});
