import type { JobResult } from '../../core/jobs/job-result.ts';
import { type DescribedOutput, storeOutputs } from '../worker/outputs.ts';
import type { DeliverDeps, WorkerContext } from '../worker/worker-deps.ts';
import { keepForRetry, uploadToProvider } from './upload-to-provider.ts';

/** Finished files on the disk, and the rest of the job's result. */
export type Delivery = { outputs: readonly DescribedOutput[]; result: Omit<JobResult, 'files'> };

/**
 * Uploads finished files to the job's destination. In the media bucket the result is complete. At a storage provider the
 * files are invisible until their publication is completed.
 */
export async function deliver(
  deps: DeliverDeps,
  context: WorkerContext,
  { outputs, result }: Delivery,
): Promise<JobResult | { publicationKey: string; delivery: Delivery }> {
  const { destination } = context.job;
  if (destination === undefined) return { ...result, files: await storeOutputs(deps, context, outputs) };
  try {
    const { publicationKey } = await uploadToProvider(deps, context, { destination, outputs, result });
    return { publicationKey, delivery: { outputs, result } };
  } catch (cause) {
    throw await keepForRetry(deps, context, { cause, outputs, result });
  }
}
