import type { Clock, JobTable } from '../jobs/ports.ts';
import type { JobRecord } from '../jobs/record.ts';
import { asUnreadable, UnreadableJobError } from '../jobs/unreadable-job-error.ts';
import {
  type EventFeed,
  type FeedEntry,
  feedDays,
  hasEvent,
  maxLagMs,
  placeOf,
  positionAt,
  positionOf,
} from './feed-entry.ts';

type ReadFeedDeps = { jobs: Pick<JobTable, 'get'>; feed: Pick<EventFeed, 'list' | 'get'>; clock: Pick<Clock, 'now'> };

/** An event that came true, the position behind it, and the record of its job unless that is gone or cannot be read. */
export type ListedEvent = { entry: FeedEntry; position: string; job: JobRecord | undefined };

/** A reader is this far behind: entries written meanwhile by functions whose clocks differ by a second have their places. */
const behindMs = 2 * maxLagMs;

/** No write of a record takes longer: the functions outlast outages of the table of three minutes. */
const maxWriteMs = 4 * 60_000;

/**
 * Reads the events behind a position, oldest first, and the position where the next read begins. No event ever becomes visible
 * before that: the page ends at an entry whose record may still be written.
 */
export async function readFeed(
  { jobs, feed, clock }: ReadFeedDeps,
  { ownerId, after, limit }: { ownerId: string; after: string; limit: number },
): Promise<{ events: ListedEvent[]; next: string }> {
  const nowMs = clock.now().getTime();
  const before = positionAt(nowMs - behindMs);
  if (before <= after) return { events: [], next: after };
  const entries = await feed.list({ ownerId, after, before, limit });
  const read = (jobId: string) => jobs.get({ ownerId, jobId }).catch(asUnreadable);
  // Read after the entries: a record that lacks an event now was not written before its entry was read.
  const ids = [...new Set(entries.map(({ jobId }) => jobId))];
  const records = new Map(await Promise.all(ids.map(async (jobId) => [jobId, await read(jobId)] as const)));
  const events: ListedEvent[] = [];
  let next = after;
  for (const entry of entries) {
    const record = records.get(entry.jobId);
    const job = record instanceof UnreadableJobError ? undefined : record;
    const cameTrue = record !== job || hasEvent(job?.events, entry);
    const isTrue = cameTrue && (await isInPlace(feed, entry));
    if (isTrue === undefined && entry.placeMs > nowMs - maxWriteMs) return { events, next };
    next = positionOf(entry);
    if (isTrue) events.push({ entry, position: next, job });
  }
  return { events, next: entries.length < limit ? before : next };
}

/** Whether an entry is the one that counts of its event. */
async function isInPlace(feed: Pick<EventFeed, 'get'>, entry: FeedEntry): Promise<boolean> {
  const { placeMs, event } = entry;
  if (placeMs === event.at) return entry.movedToMs === undefined;
  return (await feed.get({ ...entry, placeMs: event.at }))?.movedToMs === placeMs;
}

/** Whether events behind this position may not be listed any more. */
export function isExpired(position: string, now: Date): boolean {
  return placeOf(position) < now.getTime() - feedDays * 86_400_000;
}

/** The position of a reader that reads what is kept. */
export function oldestPosition(now: Date): string {
  return positionAt(now.getTime() - feedDays * 86_400_000);
}
