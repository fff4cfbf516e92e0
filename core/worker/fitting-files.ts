import type { JobIn } from '../jobs/record.ts';
import { costOfStoredFiles, findExceededCost, hasCostLimit } from '../pricing/cost-limit.ts';
import type { DescribedOutput } from './outputs.ts';
import type { WorkerDeps } from './worker-deps.ts';

/**
 * Compares the limit of a job with what its functions have cost and its finished files will cost, before their upload.
 * Returns the dollars of the files: of their storage, or of the transfer to a storage provider; 0 without a limit.
 * @throws JobError `COST_LIMIT`
 */
export function requireFittingFiles(
  { pricedStage, clock }: Pick<WorkerDeps, 'pricedStage' | 'clock'>,
  job: JobIn<'processing'>,
  outputs: readonly Pick<DescribedOutput, 'name' | 'file'>[],
): number {
  if (!hasCostLimit(job)) return 0;
  const files = Object.fromEntries(outputs.map(({ name, file }) => [name, file]));
  const filesUsd = costOfStoredFiles(files, pricedStage, job.destination);
  const exceeded = findExceededCost({ ...job, filesUsd }, pricedStage, clock.now());
  if (exceeded !== undefined) throw exceeded;
  return filesUsd;
}
