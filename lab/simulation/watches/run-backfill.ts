import { type BatchStep, createBatch, resumeBatches, startBatch } from '../../../core/batches/batch.ts';
import { type aWatchWorld, watches } from './watch-world.ts';

type World = Awaited<ReturnType<typeof aWatchWorld>>;

export type BackfillChoice = {
  batchId: string;
  watch?: string;
  again?: string[];
  isEstimate?: boolean;
  maxUsd?: number;
  /** Between the steps. */
  meanwhile?: (step: number) => Promise<void>;
};

/** Runs a backfill of a world to its end: each step, the jobs, and what reconcile starts again after a kill. */
export async function runBackfill(world: World, choice: BackfillChoice) {
  const { batchId, watch = 'plain', again, isEstimate = false, maxUsd, meanwhile } = choice;
  const { batches, clock, step, work } = world;
  const found = watches.find(({ name }) => name === watch);
  if (found === undefined) throw new Error(`There is no watch ${watch}`);
  const executions: BatchStep[] = [];
  const machine = { start: async ({ input }: { input: BatchStep }) => void executions.push(input) };
  const batch = createBatch({
    ...{ batchId, createdAt: clock.now(), principal: { ownerId: found.ownerId, caller: 'session' as const }, maxUsd },
    backfill: { watch, again, isEstimate },
    request: { mode: 'preset', preset: `${found.preset}@1` },
  });
  await batches.write(batch);
  await startBatch(machine, batch);
  for (let steps = 0; ; ) {
    const ended = await batches.get(batch);
    if (ended?.endedAt !== undefined) return ended;
    let next = executions.shift();
    if (next === undefined) {
      await clock.sleep(60_000);
      await resumeBatches({ batches, machine, clock });
    }
    while (next !== undefined) {
      const result = await step(next);
      await work();
      await meanwhile?.(steps++);
      await clock.sleep((result?.waitSeconds ?? 0) * 1_000);
      next = result?.status === 'wait' ? result : undefined;
    }
  }
}
