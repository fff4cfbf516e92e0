import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import {
  type listWatchesContract,
  type pauseWatchContract,
  type resumeWatchContract,
  watchNotFoundMessage,
} from '../../core/api/watches.ts';
import { AppError } from '../../core/errors.ts';
import type { Watch, WatchState, WatchTable } from '../../core/watches/watch.ts';

export type WatchRouteDeps = {
  watches: Pick<WatchTable, 'state' | 'setPaused'>;
  /** Those of the settings. */
  ofStage: readonly Watch[];
};

/** Lists the watches of an owner. */
export function listWatches({ watches, ofStage }: WatchRouteDeps): RouteApp<typeof listWatchesContract> {
  return async ({ principal: { ownerId } }) => {
    const own = ofStage.filter((watch) => watch.ownerId === ownerId);
    const shown = await Promise.all(own.map(async ({ name }) => viewWatch(name, await watches.state(name))));
    return { status: 200, body: { watches: shown } };
  };
}

/** Pauses or resumes a watch of the owner. Throws AppError NOT_FOUND. */
export function setPaused(
  { watches, ofStage }: WatchRouteDeps,
  isPaused: boolean,
): RouteApp<typeof pauseWatchContract> & RouteApp<typeof resumeWatchContract> {
  return async ({ params: { name }, principal: { ownerId } }) => {
    if (!ofStage.some((watch) => watch.name === name && watch.ownerId === ownerId))
      throw new AppError('NOT_FOUND', watchNotFoundMessage);
    await watches.setPaused(name, isPaused);
    return { status: 200, body: viewWatch(name, { ...(await watches.state(name)), isPaused }) };
  };
}

function viewWatch(name: string, { isPaused, lastSweepAt, objects, jobs, lagSeconds }: WatchState) {
  const state = isPaused ? ('paused' as const) : ('active' as const);
  return { name, state, lastSweepAt: lastSweepAt ?? null, objects, jobs, lagSeconds };
}
