import type { EventPage } from './events.ts';

/** After these, the reader of a stream that has ended connects again. */
const [retryMs, retryAfterFullMs] = [2_000, 100];

/**
 * A page of the feed as server-sent events (HTML Standard, section 9.2). The id at the end has no data: it is no event, and
 * moves the reader past entries that it does not see.
 * @param ids the cursors behind the events
 * @param isFull whether there may be more behind the page
 */
export function toEventStream(
  { events, jobs = [], nextCursor }: EventPage,
  { ids, isFull }: { ids: readonly string[]; isFull: boolean },
): string {
  const blocks = [
    [`retry: ${isFull ? retryAfterFullMs : retryMs}`],
    ...events.map((event, index) => [`id: ${ids[index]}`, `data: ${JSON.stringify(event)}`]),
    ...jobs.map((job) => ['event: job', `data: ${JSON.stringify(job)}`]),
    [`id: ${nextCursor}`],
  ];
  return blocks.map((lines) => `${lines.join('\n')}\n\n`).join('');
}
