import type { PlanCost } from '@media-jobs/video/cost-model';
import {
  type CostTable,
  costTable,
  expectedSeconds,
  learnSlowness,
  type Processors,
  type SlownessStore,
  slownessFor,
} from '@media-jobs/video/cost-model';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import type { Clock, JobRef } from '../jobs/ports.ts';
import type { WorkerPorts } from './ports.ts';

type SlownessDeps = { slowness: SlownessStore; onUnexpected: WorkerPorts['onUnexpected'] };

/** The cost table as the workers of this stage measured it for an owner; as calibrated, if the measurements cannot be read. */
export async function measuredCosts({ slowness, onUnexpected }: SlownessDeps, ref: JobRef): Promise<CostTable> {
  try {
    return { ...costTable, slowness: slownessFor(await slowness.read(), ref.ownerId) };
  } catch (cause) {
    onUnexpected(ref, cause);
    return costTable;
  }
}

/** Wraps an encoder so that the wall seconds of its runs are added up. */
export function timeRuns(encoder: Encoder, clock: Clock): { encoder: Encoder; seconds: () => number } {
  let milliseconds = 0;
  return {
    seconds: () => milliseconds / 1000,
    encoder: {
      ...encoder,
      async run(command, options) {
        const startedAt = clock.now().getTime();
        const record = await encoder.run(command, options);
        milliseconds += clock.now().getTime() - startedAt;
        return record;
      },
    },
  };
}

/** Stores the slowness that a job measured. A failure is reported, not thrown: it costs no job its result. */
export async function learnFromJob(
  { slowness, processors, onUnexpected }: SlownessDeps & { processors: Processors },
  ref: JobRef,
  { cost, table, seconds }: { cost: PlanCost; table: CostTable; seconds: number },
): Promise<void> {
  const job = { known: table.slowness ?? {}, cost, seconds, expectedSeconds: expectedSeconds(cost, processors) };
  try {
    const learned = learnSlowness(await slowness.read(), ref.ownerId, job);
    if (learned !== undefined) await slowness.write(learned.name, learned.slowness);
  } catch (cause) {
    onUnexpected(ref, cause);
  }
}
