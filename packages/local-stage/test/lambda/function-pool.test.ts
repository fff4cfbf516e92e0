import { aWebServer } from '@media-jobs/testing/web-server';
import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { aPoolOf, payloadOf } from '../builders/a-pool.ts';

it('a warm sandbox handles consecutive invocations in one process', async () => {
  const pool = await aPoolOf('let calls = 0; exports.handler = async () => [process.pid, ++calls]');
  const [pid, first] = (await payloadOf(pool)) as number[];
  const [samePid, second] = (await payloadOf(pool)) as number[];
  expect([samePid, first, second]).toEqual([pid, 1, 2]);
  expect(pool.size()).toBe(1);
});

it('a sandbox that exits after its response is replaced', async () => {
  const pool = await aPoolOf(
    'exports.handler = async () => { setImmediate(() => process.exit(0)); return process.pid }',
  );
  const pids = [await payloadOf(pool), await payloadOf(pool), await payloadOf(pool)];
  expect(new Set(pids).size).toBe(3);
});

describe('concurrency', () => {
  /** Responds once `count` requests have arrived. */
  async function aMeetingOf(count: number): Promise<string> {
    const present: (() => void)[] = [];
    const { origin } = await aWebServer((_, response) => {
      present.push(() => response.end());
      if (present.length === count) for (const leave of present) leave();
    });
    return origin;
  }

  const meets = 'exports.handler = async ({ url }) => { await fetch(url); return process.pid }';

  it('concurrent invocations get separate sandboxes', async () => {
    const pool = await aPoolOf(meets);
    const url = await aMeetingOf(3);
    const pids = await Promise.all([1, 2, 3].map(() => payloadOf(pool, { url })));
    expect(new Set(pids).size).toBe(3);
  });
});

it('an event above 6 MB is rejected', async () => {
  const pool = await aPoolOf('exports.handler = async (text) => text.length');
  const quotes = 2;
  expect(await payloadOf(pool, 'x'.repeat(6 * 1024 * 1024 - quotes))).toBe(6 * 1024 * 1024 - quotes);
  await expect(pool.invoke('x'.repeat(6 * 1024 * 1024 - quotes + 1))).rejects.toMatchObject({
    name: 'RequestTooLargeException',
    message: '6291457 byte payload is too large for the RequestResponse invocation type (limit 6291456 bytes)',
  });
});

describe('while as many sandboxes start as may start at once', () => {
  /** One invocation runs in the only sandbox, and the second waits, since no other sandbox may start. */
  async function oneRunningOneWaiting(signal?: AbortSignal) {
    const coldStarts = pLimit(1);
    const source = 'exports.handler = async ({ url }) => { if (url) await fetch(url); return process.pid }';
    const pool = await aPoolOf(source, {}, undefined, coldStarts);
    const reached = Promise.withResolvers<() => void>();
    const { origin: url } = await aWebServer((_, response) => reached.resolve(() => response.end()));
    const first = pool.invoke({ url });
    const endFirst = await reached.promise;
    const otherStart = Promise.withResolvers<void>();
    void coldStarts(() => otherStart.promise);
    const second = pool.invoke({}, signal ? { signal } : {});
    const outcomes = Promise.allSettled([first, second]);
    return { pool, endFirst, endOtherStart: otherStart.resolve, outcomes };
  }

  it('an invocation runs in the first sandbox that becomes idle', async () => {
    const { pool, endFirst, endOtherStart, outcomes } = await oneRunningOneWaiting();
    endFirst();
    const [first, second] = await outcomes;
    expect(second).toEqual(first);
    endOtherStart();
    await payloadOf(pool);
    expect(pool.size()).toBe(1);
  });

  it('an invocation starts a sandbox when another has started', async () => {
    const { pool, endFirst, endOtherStart, outcomes } = await oneRunningOneWaiting();
    endOtherStart();
    await expect.poll(() => pool.size()).toBe(2);
    endFirst();
    expect(await outcomes).toMatchObject([{ value: { ok: true } }, { value: { ok: true } }]);
  });

  it('an aborted invocation ends its wait', async () => {
    const giveUp = new AbortController();
    const { pool, endFirst, endOtherStart, outcomes } = await oneRunningOneWaiting(giveUp.signal);
    giveUp.abort();
    endFirst();
    expect(await outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }]);
    endOtherStart();
    await payloadOf(pool);
    expect(pool.size()).toBe(1);
  });
});

describe('at the maximum concurrency', () => {
  /** Two invocations at a maximum concurrency of one: the first has started, the second waits. */
  async function oneBegunOneWaiting(signal?: AbortSignal) {
    const pool = await aPoolOf(
      'exports.handler = async ({ url }) => { if (url) await fetch(url); return process.pid }',
      { maxConcurrency: 1 },
    );
    const { promise: reached, resolve: reach } = Promise.withResolvers<() => void>();
    const { origin: url } = await aWebServer((_, response) => reach(() => response.end()));
    const first = pool.invoke({ url });
    const begun: string[] = [];
    const second = pool.invoke({}, { ...(signal ? { signal } : {}), onStart: () => begun.push('second') });
    const outcomes = Promise.allSettled([first, second]);
    return { pool, letGo: await reached, begun, outcomes };
  }

  it('an invocation waits and then starts', async () => {
    const { letGo, begun, outcomes } = await oneBegunOneWaiting();
    expect(begun).toEqual([]);
    letGo();
    const [first, second] = await outcomes;
    expect(second).toEqual(first);
    expect(begun).toEqual(['second']);
  });

  it('an invocation that is aborted while it waits never starts', async () => {
    const giveUp = new AbortController();
    const { letGo, begun, outcomes } = await oneBegunOneWaiting(giveUp.signal);
    giveUp.abort();
    letGo();
    expect(await outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }]);
    expect(begun).toEqual([]);
  });

  it('a waiting invocation starts when the sandboxes are killed', async () => {
    const { pool, outcomes } = await oneBegunOneWaiting();
    await pool.kill();
    expect(await outcomes).toMatchObject([{ value: { ok: false } }, { value: { ok: true } }]);
  });

  it('no invocation starts after stop, and no sandbox remains', async () => {
    const { pool, begun, outcomes } = await oneBegunOneWaiting();
    await pool.stop();
    expect(await outcomes).toMatchObject([{ value: { ok: false } }, { status: 'rejected' }]);
    expect([begun, pool.size()]).toEqual([[], 0]);
  });
});
