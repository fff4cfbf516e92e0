// @module-tag requests
import { EventSource } from 'eventsource';
import { beforeAll, expect, it, vi } from 'vitest';
import { aStageWithTenants, type StageWithTenants } from '../builders/stage/tenants.ts';

let world: StageWithTenants;
beforeAll(async () => {
  world = await aStageWithTenants();
});

type Page = {
  jobs?: object[];
  events: { id: string; jobId: string; type: string; at: string; data: object }[];
  nextCursor: string;
};

/** The first events that an `EventSource` gets of a feed in pages of one, and the `Last-Event-ID` of each of its requests. */
async function followByEventSource(count: number) {
  const lastIds: (string | null)[] = [];
  const seen: { id: string; event: unknown }[] = [];
  const source = new EventSource(`${world.stage.baseUrl}/api/v1/events?limit=1`, {
    fetch: (url, init) => {
      lastIds.push(new Headers(init.headers).get('last-event-id'));
      return fetch(url, { ...init, headers: { ...init.headers, 'x-api-key': world.alice.key } });
    },
  });
  await new Promise<void>((resolve) => {
    source.onmessage = ({ lastEventId, data }) => {
      seen.push({ id: lastEventId, event: JSON.parse(data) });
      if (seen.length === count) resolve();
    };
  });
  source.close();
  return { seen, lastIds };
}

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
  const { seen, lastIds } = await followByEventSource(2);
  expect(seen.map(({ event }) => event)).toEqual(events);
  expect([lastIds, seen[0]?.id]).toEqual([[null, first.nextCursor], first.nextCursor]);
  const headers = { accept: 'text/event-stream', 'last-event-id': first.nextCursor, 'x-api-key': world.alice.key };
  const stream = await fetch(`${world.stage.baseUrl}/api/v1/events?jobs=${jobId}`, { headers });
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  const refusing = { ...headers, accept: 'text/event-stream;q=0, */*' };
  expect((await fetch(`${world.stage.baseUrl}/api/v1/events`, { headers: refusing })).headers.get('content-type')).toBe(
    'application/json',
  );
  const fields = (await stream.text()).match(/^(retry|id|event|data)(?=:)/gm);
  expect(fields).toEqual(['retry', 'id', 'data', 'event', 'data', 'id']);
  expect((await read(`?after=${nextCursor}&jobs=${jobId}`)).jobs).toMatchObject([{ jobId, state: 'cancelled' }]);
  await alice(`/api/v1/jobs/${jobId}`, { method: 'DELETE' });
  expect((await read()).events.map(({ data }) => data)).toEqual([
    { jobId, state: 'queued', progress: 0 },
    { jobId, state: 'cancelled', progress: 0 },
  ]);
});
