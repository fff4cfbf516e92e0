// @module-tag requests
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aStageWithTenants, type StageWithTenants } from '../builders/stage/tenants.ts';

let world: StageWithTenants;
beforeAll(async () => {
  world = await aStageWithTenants();
});
afterAll(() => world?.stop());

type Page = { events: { id: string; jobId: string; type: string; at: string; data: object }[]; nextCursor: string };

it('the feed lists each state of the jobs of its owner once, oldest first', async () => {
  const [alice, bob] = [world.sendAs(world.alice.key), world.sendAs(world.bob.token)];
  const request = {
    ...{ mode: 'recipe', input: { url: 'https://media.example/in.mp4' }, output: { format: 'mp4' } },
    ...{ recipe: { name: 'compress' }, metadata: { order: '17' } },
  };
  const created = (await alice('/api/v1/jobs', { method: 'POST', body: request })).body as { jobId: string };
  const { jobId } = created;
  await alice(`/api/v1/jobs/${jobId}/cancel`, { method: 'POST' });
  const read = async (query = '', as = alice) => (await as(`/api/v1/events${query}`)).body as Page;
  const { events, nextCursor } = await vi.waitFor(
    async () => {
      const page = await read();
      expect(page.events).toHaveLength(2);
      return page;
    },
    { timeout: 20_000, interval: 250 },
  );
  expect(events).toMatchObject([
    { id: `${jobId}.0`, jobId, type: 'job.queued', data: { jobId, state: 'queued', progress: 0 } },
    { id: `${jobId}.1`, jobId, type: 'job.cancelled', data: { state: 'cancelled', metadata: { order: '17' } } },
  ]);
  const first = await read('?limit=1');
  expect([first.events, (await read(`?after=${first.nextCursor}`)).events]).toEqual([[events[0]], [events[1]]]);
  const end = await read(`?after=${nextCursor}`);
  expect(end).toEqual({ events: [], nextCursor: expect.any(String) });
  expect((await read(`?after=${new Date(Date.now() - 3_600_000).toISOString()}`)).events).toEqual(events);
  expect((await read('', bob)).events).toEqual([]);
  const old = new Date(Date.now() - 8 * 86_400_000).toISOString();
  const refused = [alice(`/api/v1/events?after=${old}`), alice('/api/v1/events?after=x')];
  for (const answer of await Promise.all([...refused, bob(`/api/v1/events?after=${nextCursor}`)])) {
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_CURSOR' } } });
  }
  await alice(`/api/v1/jobs/${jobId}`, { method: 'DELETE' });
  expect((await read()).events.map(({ data }) => data)).toEqual([
    { jobId, state: 'queued', progress: 0 },
    { jobId, state: 'cancelled', progress: 0 },
  ]);
});
