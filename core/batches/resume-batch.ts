import { addMs } from '../jobs/durations.ts';
import type { Clock } from '../jobs/ports.ts';
import { type BatchMachine, type BatchRef, type BatchTable, openWithinMs, startBatch } from './batch.ts';

export type ResumeBatchesDeps = {
  batches: Pick<BatchTable, 'get' | 'write' | 'due'>;
  machine: BatchMachine;
  clock: Pick<Clock, 'now'>;
};

/**
 * Starts the next execution of each batch that is due: none has written it for minutes, or the last one has taken all its steps.
 * Returns the number of batches.
 */
export async function resumeBatches(deps: ResumeBatchesDeps): Promise<number> {
  const due = await deps.batches.due(deps.clock.now());
  for (const ref of due) await resumeBatch(deps, ref);
  return due.length;
}

async function resumeBatch({ batches, machine, clock }: ResumeBatchesDeps, ref: BatchRef): Promise<void> {
  const batch = await batches.get(ref);
  const now = clock.now();
  if (batch?.dueAt === undefined || batch.dueAt > now.toISOString()) return;
  const dueAt = addMs(now, openWithinMs);
  const next = { ...batch, version: batch.version + 1, starts: batch.starts + 1, dueAt };
  if (await batches.write(next)) await startBatch(machine, next);
}
