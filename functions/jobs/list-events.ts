import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { type CursorScope, readCursor, writeCursor } from '../../core/api/cursor.ts';
import {
  afterTime,
  type EventPage,
  type EventResource,
  eventPageSchema,
  eventStreamType,
  type listEventsContract,
} from '../../core/api/events.ts';
import { AppError } from '../../core/errors.ts';
import {
  type EventFeed,
  feedDays,
  isExpired,
  type ListedEvent,
  oldestPosition,
  positionAt,
  readFeed,
} from '../../core/feed/feed-entry.ts';
import type { Clock, FileLinks, JobTable } from '../../core/jobs/ports.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { readJobs } from '../../core/jobs/unfinished-jobs.ts';
import { resultFiles, viewJob } from '../../core/jobs/view.ts';
import { buildWebhookPayload } from '../../core/webhooks/payload.ts';
import { maxCharacters } from './list-jobs.ts';

export type ListEventsDeps = { jobs: Pick<JobTable, 'get'>; feed: EventFeed; files: FileLinks; clock: Clock };

const position = /^[0-9a-f]{12}(-[0-9a-f-]{36}-\d{4,}-[a-z]+)?$/;

/** Lists a page of an owner's feed of events, as JSON or as a stream. A page above `maxCharacters` ends early. */
export function listEvents(deps: ListEventsDeps): RouteApp<typeof listEventsContract> {
  return async ({ query: { after, limit, jobs: followed }, headers, principal: { ownerId } }) => {
    const now = deps.clock.now();
    const scope: CursorScope = { ownerId, list: 'events' };
    const start = startOf(scope, headers['last-event-id'] || after, now);
    const [{ events, next }, { jobs }] = await Promise.all([
      readFeed(deps, { ownerId, limit, after: start }),
      readJobs(deps, ownerId, followed ?? []),
    ]);
    const listed = withinLimit(events.map((event) => ({ event: viewEvent(event, deps.files, now), ...event })));
    const end = listed.length < events.length ? listed.at(-1)?.position : next;
    const page = {
      events: listed.map(({ event }) => event),
      nextCursor: writeCursor(scope, end ?? next),
      ...(followed && { jobs: jobs.map((job) => viewJob(job, {})) }),
    };
    if (!eventStreamAccepted.test(headers.accept ?? '')) return { status: 200, body: page };
    const body = toEventStream(eventPageSchema.parse(page), {
      ids: listed.map(({ position }) => writeCursor(scope, position)),
      isFull: events.length === limit,
    });
    return { status: 200, headers: { 'content-type': eventStreamType }, body };
  };
}

/** A header `Accept` that names event streams. With the weight `q=0` it refuses them (RFC 9110, section 12.4.2). */
const eventStreamAccepted = /(^|,)\s*text\/event-stream\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i;

function withinLimit<Listed extends { event: EventResource }>(all: readonly Listed[]): Listed[] {
  let characters = 0;
  const excess = all.findIndex(({ event }, index) => {
    characters += JSON.stringify(event).length;
    return index > 0 && characters > maxCharacters;
  });
  return excess === -1 ? [...all] : all.slice(0, excess);
}

/** A time ahead of the clock of the service is its present: the clock of a caller may be. */
function startOf(scope: CursorScope, after: string | undefined, now: Date): string {
  if (after === undefined) return oldestPosition(now);
  const time = afterTime(after);
  const start =
    time === undefined ? readCursor(scope, after, position) : positionAt(Math.min(time.getTime(), now.getTime()));
  if (!isExpired(start, now)) return start;
  throw new AppError(
    'INVALID_CURSOR',
    `after: events are kept for ${feedDays} days, and this is older. Read your jobs with GET /api/v1/jobs, then the feed without \`after\`.`,
  );
}

function viewEvent({ entry, job }: ListedEvent, files: FileLinks, now: Date): EventResource {
  const { jobId, index, event, progress } = entry;
  const { state, output } = event;
  const hasEnded = job !== undefined && isTerminal(job) && job.state === state;
  const change = { jobId, state, progress, ...(output && { output: output.name, outputState: output.state }) };
  return {
    id: `${jobId}.${index}`,
    jobId,
    type: `job.${state}`,
    at: new Date(event.at).toISOString(),
    data: hasEnded ? buildWebhookPayload(job, resultFiles(job, files, now)).data : change,
  };
}

/** After these, the reader of a stream that has ended connects again. */
const [retryMs, retryAfterFullMs] = [2_000, 100];

/**
 * A page of the feed as server-sent events (HTML Standard, section 9.2). The id at the end has no data: it is no event, and
 * moves the reader past entries that it does not see.
 * @param ids the cursors behind the events
 * @param isFull whether there may be more behind the page
 */
function toEventStream(
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
