import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { type CursorScope, readCursor, writeCursor } from '../../core/api/cursor.ts';
import { afterTime, type EventResource, type listEventsContract } from '../../core/api/events.ts';
import { AppError } from '../../core/errors.ts';
import { type EventFeed, feedDays, positionAt } from '../../core/feed/feed-entry.ts';
import { isExpired, type ListedEvent, oldestPosition, readFeed } from '../../core/feed/read-feed.ts';
import type { Clock, FileLinks, JobTable } from '../../core/jobs/ports.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { resultFiles } from '../../core/jobs/view.ts';
import { buildWebhookPayload } from '../../core/webhooks/payload.ts';
import { maxCharacters } from './list-jobs.ts';

export type ListEventsDeps = { jobs: Pick<JobTable, 'get'>; feed: EventFeed; files: FileLinks; clock: Clock };

const position = /^[0-9a-f]{12}(-[0-9a-f-]{36}-\d{4,}-[a-z]+)?$/;

/** Lists a page of an owner's feed of events. A page above `maxCharacters` ends early. */
export function listEvents(deps: ListEventsDeps): RouteApp<typeof listEventsContract> {
  return async ({ query: { after, limit }, principal: { ownerId } }) => {
    const now = deps.clock.now();
    const scope: CursorScope = { ownerId, list: 'events' };
    const { events, next } = await readFeed(deps, { ownerId, limit, after: startOf(scope, after, now) });
    const views: EventResource[] = [];
    let characters = 0;
    for (const [index, listed] of events.entries()) {
      const view = viewEvent(listed, deps.files, now);
      characters += JSON.stringify(view).length;
      const last = events[index - 1];
      if (last !== undefined && characters > maxCharacters) {
        return { status: 200, body: { events: views, nextCursor: writeCursor(scope, last.position) } };
      }
      views.push(view);
    }
    return { status: 200, body: { events: views, nextCursor: writeCursor(scope, next) } };
  };
}

function startOf(scope: CursorScope, after: string | undefined, now: Date): string {
  if (after === undefined) return oldestPosition(now);
  const time = afterTime(after);
  const start = time === undefined ? readCursor(scope, after, position) : positionAt(time.getTime());
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
