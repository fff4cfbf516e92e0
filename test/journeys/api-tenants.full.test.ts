// @module-tag requests
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { newJobId } from '../../adapters/system/clock.ts';
import type { Contract } from '../../core/api/contract.ts';
import { contracts } from '../../core/api/registry.ts';
import { aCompletedJob, aFailedJob } from '../builders/jobs/ended-jobs.ts';
import { type Answer, aStageWithTenants, type StageWithTenants } from '../builders/stage/tenants.ts';

const declared: readonly Contract[] = contracts;
const byId = declared.filter(({ params }) => params !== undefined);
const withoutId = declared.filter(({ params, callers }) => params === undefined && callers.length > 0);

let world: StageWithTenants;
const hers = { completed: '', failed: '', key: '', upload: '' };
const isoNow = new Date().toISOString();

beforeAll(async () => {
  world = await aStageWithTenants();
  const { ownerId, key, token } = world.alice;
  const completed = aCompletedJob({ ownerId, jobId: newJobId(new Date()), createdAt: isoNow });
  const failed = aFailedJob({ ownerId, jobId: newJobId(new Date()), createdAt: isoNow });
  await world.store(completed);
  await world.store(failed);
  const made = await world.sendAs(token)('/api/v1/keys', { method: 'POST', body: { name: 'hers' } });
  const body = { sizeBytes: 6 * 1024 ** 3 };
  const upload = await world.sendAs(key)('/api/v1/uploads', { method: 'POST', body });
  Object.assign(hers, {
    completed: completed.jobId,
    failed: failed.jobId,
    key: (made.body as { keyId: string }).keyId,
    upload: (upload.body as { uploadId: string }).uploadId,
  });
});

const bodyOf = ({ bodyExample }: Contract) => (bodyExample === undefined ? {} : { body: bodyExample });

function asBob(contract: Contract, id = ''): Promise<Answer> {
  const credential = contract.callers.includes('key') ? world.bob.key : world.bob.token;
  const path = contract.path.replace('{id}', id);
  return world.sendAs(credential)(path, { method: contract.method, ...bodyOf(contract) });
}

/** A response without the fields that differ between any two responses. */
function bytesOf({ status, headers, text, body }: Answer): unknown {
  const { requestId } = (body as { error?: { requestId?: string } } | undefined)?.error ?? {};
  const kept = [...headers].filter(([name]) => !['date', 'apigw-requestid'].includes(name));
  return { status, headers: kept, text: requestId === undefined ? text : text.replace(requestId, '') };
}

describe("another owner's id", () => {
  it.each(byId.map((contract) => [contract.id, contract] as const))('is unknown to %s', async (_, contract) => {
    const { path } = contract;
    const isOf = (kind: string) => path.startsWith(`/api/v1/${kind}/`);
    if (isOf('uploads')) return expect((await asBob(contract, hers.upload)).status).toBe(404);
    for (const id of isOf('keys') ? [hers.key] : [hers.completed, hers.failed]) {
      const [answer, unknown] = [await asBob(contract, id), await asBob(contract, randomUUID())];
      expect(bytesOf(answer)).toEqual(bytesOf(unknown));
      expect(answer.status).toBe(404);
    }
  });

  it('that is unknown gets the response for a malformed id', async () => {
    for (const contract of byId) {
      const [answer, malformed] = [await asBob(contract, randomUUID()), await asBob(contract, 'no-id-at-all')];
      expect(bytesOf(answer)).toEqual(bytesOf(malformed));
    }
  });
});

it.each(withoutId.map((contract) => [contract.id, contract] as const))(
  'a route without an id shows nothing of another owner: %s',
  async (_, contract) => {
    const { status, text } = await asBob(contract);
    expect(status).toBeLessThan(500);
    for (const secret of [...Object.values(hers), world.alice.ownerId]) expect(text).not.toContain(secret);
  },
);

it('a session is known at every route', async () => {
  for (const { path, method } of declared.filter(({ callers }) => callers.includes('session'))) {
    const unknown = path.replaceAll(/\{\w+\}/g, 'no-id-at-all');
    const { status } = await world.sendAs(world.bob.token)(unknown, { method });
    expect([path, status < 500 && status !== 401 && status !== 403]).toEqual([path, true]);
  }
});

it('the other owner keeps all its data', async () => {
  const { key, token } = world.alice;
  for (const [id, state] of [
    [hers.completed, 'completed'],
    [hers.failed, 'failed'],
  ] as const) {
    const { body } = await world.sendAs(key)(`/api/v1/jobs/${id}`);
    expect(body).toMatchObject({ jobId: id, state });
  }
  const { body } = await world.sendAs(token)('/api/v1/keys');
  expect(body).toMatchObject({
    keys: expect.arrayContaining([expect.objectContaining({ keyId: hers.key })]),
  });
});
