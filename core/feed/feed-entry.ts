import * as z from 'zod';
import type { JobChange } from '../jobs/guard.ts';
import type { Clock, JobTable } from '../jobs/ports.ts';
import type { JobRecord } from '../jobs/record.ts';
import { type JobEvent, jobEventSchema } from '../jobs/states.ts';
import { asUnreadable, UnreadableJobError } from '../jobs/unreadable-job-error.ts';

/**
 * An entry of an owner's feed. It is written before the record that makes its event true, so an event is never missing; the
 * record of the job tells whether the event came true (DECISION.md).
 */
export const feedEntrySchema = z.object({
  ownerId: z.string(),
  jobId: z.string(),
  /** Where the event is among those of the job, from 0. */
  index: z.int().min(0),
  event: jobEventSchema,
  /** Of the job, in percent. */
  progress: z.int(),
  /** Its place in the feed in Unix milliseconds: the time of the event, or a later one if it was written late. */
  placeMs: z.int(),
  /** At the time of the event: the place of the event where it was written late. Only that one counts. */
  movedToMs: z.int().optional(),
});

export type FeedEntry = z.infer<typeof feedEntrySchema>;

/** The feeds of owners, ordered by `positionOf`. */
export type EventFeed = {
  /** Adds an entry, unless there is one at its position. */
  add(entry: FeedEntry): Promise<void>;
  /** Records at the time of an event that its place is another one, whether or not it has an entry there. */
  move(entry: FeedEntry, toMs: number): Promise<void>;
  get(entry: FeedEntry): Promise<FeedEntry | undefined>;
  /** Entries between two positions, both exclusive, oldest first. Strongly consistent. */
  list(query: { ownerId: string; after: string; before: string; limit: number }): Promise<FeedEntry[]>;
};

/** The days for which the feed lists an event. */
export const feedDays = 7;

/** The position of an entry. Positions sort by time. */
export function positionOf({ placeMs, jobId, index, event }: Omit<FeedEntry, 'ownerId' | 'progress'>): string {
  return `${positionAt(placeMs)}-${jobId}-${String(index).padStart(4, '0')}-${event.state}`;
}

/** Sorts before every entry of this millisecond and behind every earlier one. */
export function positionAt(ms: number): string {
  return Math.max(0, ms).toString(16).padStart(12, '0');
}

/** The time of a position in Unix milliseconds. */
function placeOf(position: string): number {
  return Number.parseInt(position.slice(0, 12), 16);
}

/** Whether a record has the event at its index. Undefined: it has no event there yet. */
export function hasEvent(
  events: readonly JobEvent[] | undefined,
  { index, event }: Pick<FeedEntry, 'index' | 'event'>,
): boolean | undefined {
  const recorded = events?.[index];
  if (recorded === undefined) return undefined;
  const { state, at, output } = event;
  return recorded.state === state && recorded.at === at && recorded.output?.name === output?.name;
}

/** An entry is in the feed this soon after its place, or it gets a later one. The feed is read up to twice this ago. */
const maxLagMs = 1_000;

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
