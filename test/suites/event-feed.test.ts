import { describe, expect, it } from 'vitest';
import { eventFeed } from '../../adapters/dynamodb/job-table.ts';
import { type FeedEntry, positionAt, positionOf } from '../../core/feed/feed-entry.ts';
import { memoryEventFeed } from '../../lab/simulation/memory/event-feed.ts';
import { aJobId, start } from '../builders/jobs/jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

const at = start.getTime();

describe.each(bothStores(eventFeed, memoryEventFeed))('the feed of events %s', (_, open) => {
  it('lists the entries of its owner between two positions, in their order', async () => {
    const [feed, ownerId] = [await open(), aNewOwner()];
    const anEntry = (index: number, placeMs: number): FeedEntry => ({
      ...{ ownerId, jobId: aJobId(1), index, placeMs, progress: 7 },
      event: { state: 'processing', at: placeMs, output: { name: 'small', state: 'completed' } },
    });
    const [first, second, third] = [anEntry(0, at), anEntry(1, at), anEntry(2, at + 1)] as const;
    for (const entry of [third, second, first, { ...first, progress: 99 }]) await feed.add(entry);
    await feed.add({ ...first, ownerId: aNewOwner() });
    const list = (after: string, before: string, limit = 9) => feed.list({ ownerId, after, before, limit });
    expect(await list(positionAt(at), positionAt(at + 2))).toEqual([first, second, third]);
    expect(await list(positionAt(at), positionAt(at + 2), 1)).toEqual([first]);
    expect(await list(positionOf(first), positionAt(at + 1))).toEqual([second]);
    await feed.move(second, at + 2);
    await feed.add(second);
    expect(await feed.get(second)).toEqual({ ...second, movedToMs: at + 2 });
    expect(await feed.get({ ...second, index: 9 })).toBeUndefined();
  });
});
