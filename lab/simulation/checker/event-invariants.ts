import { type FeedEntry, hasEvent, positionOf } from '../../../core/feed/feed-entry.ts';
import type { JobHistory } from './history.ts';
import { jobInvariant } from './invariant.ts';

/** Every new state of a record is an event, which was in the feed before the record was written, at one place. */
export const eventsAreListedOnce = jobInvariant('each change of state is an event, listed once', (job) =>
  job.writes.flatMap(({ at, before, after }) => {
    const told = before?.events?.length ?? 0;
    const events = after.events?.slice(told) ?? [];
    const isTold = events.some(({ state, output }) => state === after.state && output === undefined);
    const hasNewState = after.state !== 'deleted' && after.state !== before?.state;
    const untold = hasNewState && !isTold ? [`is ${after.state} without an event`] : [];
    const places = events.flatMap((event, index) => {
      const { length } = placesOf(job, { index: told + index, event }, at);
      return length === 1 ? [] : [`has the event ${event.state} in ${length} places`];
    });
    return [...untold, ...places];
  }),
);

/** Where a reader finds an event, by what had been announced at a time. */
function placesOf(
  { announced }: JobHistory,
  told: Pick<FeedEntry, 'index' | 'event'>,
  until: number,
): readonly FeedEntry[] {
  const entries = new Map<string, FeedEntry>();
  for (const { at, entry } of announced) {
    const isAdded = entry.movedToMs === undefined && entries.has(positionOf(entry));
    if (at <= until && entry.index === told.index && hasEvent([told.event], { ...entry, index: 0 }) && !isAdded) {
      entries.set(positionOf(entry), entry);
    }
  }
  const moved = [...entries.values()].find(({ movedToMs }) => movedToMs !== undefined)?.movedToMs;
  return [...entries.values()].filter(({ placeMs }) => placeMs === (moved ?? told.event.at));
}
