import type { JobChange } from '../jobs/guard.ts';
import type { Clock, JobTable } from '../jobs/ports.ts';
import { type EventFeed, type FeedEntry, hasEvent } from './feed-entry.ts';

/** An entry is in the feed this soon after its place, or it gets a later one. The feed is read up to twice this ago. */
export const maxLagMs = 1_000;

type AnnouncementDeps = { jobs: JobTable; feed: Pick<EventFeed, 'add' | 'move'>; clock: Pick<Clock, 'now'> };

/** A job table that adds the events of every change to the feed, before it writes the change. */
export function announcingEvents({ jobs, feed, clock }: AnnouncementDeps): JobTable {
  return {
    ...jobs,
    async write(change) {
      await Promise.all(newEntries(change).map((entry) => announce({ jobs, feed, clock }, entry)));
      return jobs.write(change);
    },
  };
}

/** The entries of the events of this change. A change of an ended job has none. */
function newEntries({ job, guard }: JobChange): FeedEntry[] {
  if (job.state === 'deleted' || 'deliveryId' in guard) return [];
  if ('state' in guard && guard.state !== 'queued' && guard.state !== 'processing') return [];
  const { ownerId, jobId, events = [], progress } = job;
  const at = Date.parse(job.updatedAt);
  return events.flatMap((event, index) =>
    event.at === at ? [{ ownerId, jobId, index, event, progress, placeMs: at }] : [],
  );
}

/**
 * Adds an entry at the time of its event. A reader may be past that if a change is written late, again after an outage for
 * example: then the entry moves to the present, unless the record has the event already.
 */
async function announce({ jobs, feed, clock }: AnnouncementDeps, first: FeedEntry): Promise<void> {
  const isLate = (placeMs: number) => Math.abs(clock.now().getTime() - placeMs) > maxLagMs;
  let { placeMs } = first;
  if (isLate(placeMs)) {
    const stored = await jobs.get(first);
    if (hasEvent(stored?.events, first)) return;
  } else await feed.add(first);
  while (isLate(placeMs)) {
    placeMs = clock.now().getTime();
    await feed.add({ ...first, placeMs });
  }
  if (placeMs !== first.placeMs) await feed.move(first, placeMs);
}
