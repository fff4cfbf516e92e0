import * as z from 'zod';
import type { JobChange } from '../jobs/guard.ts';
import type { Clock, JobTable } from '../jobs/ports.ts';
import { type JobEvent, jobEventSchema } from '../jobs/states.ts';

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
export function placeOf(position: string): number {
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
