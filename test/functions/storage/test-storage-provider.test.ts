import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { expect, it } from 'vitest';
import type { Tenancy } from '../../../core/access/owner.ts';
import type { TestResult } from '../../../core/storage/provider.ts';
import { testStorageProvider } from '../../../functions/storage/storage-providers.ts';
import { memoryConcurrencyLimits } from '../../../lab/simulation/memory/concurrency-limits.ts';
import { memoryStorageProviderTable } from '../../../lab/simulation/memory/storage-provider-table.ts';
import { start } from '../../builders/jobs/jobs.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';
import { aRouteRequest } from '../../builders/webhook-routes.ts';

const passed: TestResult = { ok: true, message: 'One object was written, read, listed and removed.' };

async function anApp(tenancy: Tenancy) {
  const providers = memoryStorageProviderTable();
  for (const [ownerId, storageProviderId] of [
    ['owner-1', 'sp_1'],
    ['owner-1', 'sp_2'],
    ['owner-2', 'sp_3'],
  ] as const) {
    await providers.create(aStorageProvider({ ownerId, storageProviderId }));
  }
  const hanging = Promise.withResolvers<TestResult>();
  let ids = 0;
  const app = testStorageProvider({
    providers,
    tenancy,
    concurrency: memoryConcurrencyLimits(),
    clock: aVirtualClock(start),
    newId: () => `test-${++ids}`,
    test: async ({ storageProviderId }) => (storageProviderId === 'sp_1' ? hanging.promise : passed),
  });
  const test = (id: string, ownerId = 'owner-1') => app(aRouteRequest({ params: { id }, ownerId }));
  return { hanging, test };
}

it('the tests of an owner run one at a time, since each holds a function until the provider answers', async () => {
  const { hanging, test } = await anApp('multi');
  const first = test('sp_1');
  await expect(test('sp_2')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', retryAfterSeconds: 15 });
  expect((await test('sp_3', 'owner-2')).body).toEqual(passed);
  hanging.resolve(passed);
  expect((await first).body).toEqual(passed);
  expect((await test('sp_2')).body).toEqual(passed);
});

it('the tests of a team run at the same time', async () => {
  const { hanging, test } = await anApp('single');
  const first = test('sp_1');
  expect((await test('sp_2')).body).toEqual(passed);
  hanging.resolve(passed);
  expect((await first).body).toEqual(passed);
});
