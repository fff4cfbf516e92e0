import type { JobEvent } from './job-event.ts';
import { outputStatesOf } from './output-states.ts';
import { isTerminal, type Job } from './record.ts';

/**
 * Adds the events of a change to a record: outputs that have ended, then a new state. Every transition that may change them
 * calls this with the time that it writes as `updatedAt`. The end of a job tells of its outputs too.
 */
export function addEvents<J extends Job>(job: J, now: Date): J {
  const { events = [], state } = job;
  const at = now.getTime();
  const ended = isTerminal(job) ? [] : endedOutputs(job).map((output): JobEvent => ({ state, at, output }));
  const isNewState = events.findLast(({ output }) => output === undefined)?.state !== state;
  const added = [...ended, ...(isNewState ? [{ state, at }] : [])];
  return added.length === 0 ? job : { ...job, events: [...events, ...added] };
}

/** The outputs that have ended and of which no event tells. */
function endedOutputs(job: Job): NonNullable<JobEvent['output']>[] {
  const told = new Set(job.events?.map(({ output }) => output?.name));
  return Object.entries(outputStatesOf(job) ?? {}).flatMap(([name, { state }]) => {
    const hasEnded = state === 'completed' || state === 'failed' || state === 'skipped';
    return hasEnded && !told.has(name) ? [{ name, state }] : [];
  });
}
