import * as z from 'zod';
import { type JobEvent, jobEventSchema } from '../jobs/job-event.ts';

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
  list(query: FeedQuery): Promise<FeedEntry[]>;
};

export type FeedQuery = { ownerId: string; after: string; before: string; limit: number };

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
