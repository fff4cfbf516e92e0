import { seededRandom } from '@media-jobs/testing/random';
import { expect, it } from 'vitest';
import {
  announcingEvents,
  type EventFeed,
  type FeedEntry,
  oldestPosition,
  positionOf,
  readFeed,
} from '../../../core/feed/feed-entry.ts';
import type { JobChange } from '../../../core/jobs/guard.ts';
import type { Clock, JobRef } from '../../../core/jobs/ports.ts';
import { isTerminal } from '../../../core/jobs/record.ts';
import { cancel, complete } from '../../../core/jobs/termination.ts';
import { claim, create, requeue } from '../../../core/jobs/transitions.ts';
import { memoryEventFeed } from '../../../lab/simulation/memory/event-feed.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { scheduler } from '../../../lab/simulation/world/scheduler.ts';
import { aJobId, aRequest, later, start, urlSecret } from '../../builders/jobs/jobs.ts';

const ownerId = 'owner-1';
const [jobCount, spreadMs] = [3_000, 10 * 60_000];

/**
 * Writers with slow calls, lost answers, kills between any two calls, clocks that differ, and races of a cancel with a
 * completion; readers of pages of any size meanwhile. Time is virtual.
 */
function aWorld(seed: number) {
  const random = seededRandom(seed);
  const time = scheduler(start.getTime());
  const sleep = (ms: number) => new Promise<void>((resolve) => time.wakeAt(time.now() + ms, resolve));
  const truth: string[] = [];
  const nameOf = ({ jobId }: JobRef, index: number, { state }: { state: string }) => `${jobId}.${index}.${state}`;
  const table = memoryJobTable({
    onWritten: ({ job }, before) => {
      const { events = [] } = job;
      for (const [index, event] of events.entries()) {
        if (index >= (before?.events?.length ?? 0)) truth.push(nameOf(job, index, event));
      }
    },
  });
  const stored = memoryEventFeed();
  /** A call that takes some time, and whose caller may be killed, or lose the answer. */
  const call = async <T>(perform: () => Promise<T>): Promise<T> => {
    if (random.chance(0.01)) throw new Error('killed before the call');
    await sleep(random.chance(0.01) ? random.between(500, 5_000) : random.between(1, 20));
    const result = await perform();
    if (random.chance(0.02)) throw new Error('killed, or the answer is lost');
    await sleep(random.between(1, 10));
    return result;
  };
  const feed: Pick<EventFeed, 'add' | 'move'> = {
    add: (entry) => call(() => stored.add(entry)),
    move: (entry, toMs) => call(() => stored.move(entry, toMs)),
  };
  const aWriter = () => {
    const skewMs = random.between(-400, 400);
    const clock = { now: () => new Date(time.now() + skewMs) };
    const jobs = announcingEvents({
      jobs: { ...table, get: (ref) => call(() => table.get(ref)), write: (change) => call(() => table.write(change)) },
      feed,
      clock,
    });
    /** Repeats a write without an answer, some of them after an outage. */
    const write = async (change: JobChange) => {
      for (let tries = 0; tries < 4; tries++) {
        const result = await jobs.write(change).catch(() => undefined);
        if (result !== undefined || random.chance(0.3)) return;
        await sleep(random.between(50, 8_000));
      }
    };
    return { clock, write };
  };

  const step = async (ref: JobRef) => {
    const { clock, write } = aWriter();
    const job = await table.get(ref);
    const now = clock.now();
    const ending = { now, webhookTarget: null, deliveryId: 'delivery-1' };
    if (job?.state === 'queued') await write(random.chance(0.1) ? cancel(job, ending) : claim(job, 'lease-1', now));
    if (job?.state === 'processing') {
      const result = { files: {}, filesExpireAt: now.toISOString() };
      const ends = [cancel(job, ending), complete(job, result, ending)] as const;
      if (random.chance(0.3)) await write(requeue(job, now));
      else if (random.chance(0.2)) await Promise.all([write(ends[0]), aWriter().write(ends[1])]);
      else await write(ends[1]);
    }
  };
  const run = async (n: number) => {
    await sleep(random.between(0, spreadMs));
    const ref = { ownerId, jobId: aJobId(n, later(time.now() - start.getTime())) };
    const { clock, write } = aWriter();
    await write(create({ ...ref, request: aRequest, urlSecret, now: clock.now() }));
    for (let job = await table.get(ref); job !== undefined && !(job.state === 'deleted' || isTerminal(job)); ) {
      await step(ref);
      await sleep(random.between(10, 2_000));
      job = await table.get(ref);
    }
  };
  const clock: Pick<Clock, 'now'> = { now: () => new Date(time.now()) };
  /** Follows the feed until a while after the last write, in pages of one size. */
  const follow = async ({ limit, pauseMs, fromMs = 0 }: { limit: number; pauseMs: number; fromMs?: number }) => {
    const read: string[] = [];
    await sleep(fromMs);
    let after = oldestPosition(clock.now());
    while (time.now() < start.getTime() + spreadMs + 25 * 60_000) {
      const page = await readFeed({ jobs: table, feed: stored, clock }, { ownerId, after, limit });
      read.push(...page.events.map(({ entry }: { entry: FeedEntry }) => nameOf(entry, entry.index, entry.event)));
      expect(page.next >= after && page.events.every(({ entry }) => positionOf(entry) > after)).toBe(true);
      after = page.next;
      if (page.events.length === 0) await sleep(pauseMs);
    }
    return read;
  };
  return { run, follow, time, truth };
}

it('lists every event once and to all readers in one order, whoever is killed', async () => {
  const world = aWorld(81);
  const writers = Array.from({ length: jobCount }, (_, n) => world.run(n));
  const readers = [
    world.follow({ limit: 100, pauseMs: 3_000 }),
    world.follow({ limit: 7, pauseMs: 1_000 }),
    world.follow({ limit: 1_000, pauseMs: 60_000, fromMs: spreadMs + 15 * 60_000 }),
  ];
  await world.time.run();
  await Promise.all(writers);
  const [first = [], ...others] = await Promise.all(readers);
  expect(world.truth.length).toBeGreaterThan(10_000);
  expect(first.toSorted()).toEqual(world.truth.toSorted());
  for (const other of others) expect(other).toEqual(first);
});
