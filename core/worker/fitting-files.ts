import type { JobIn } from '../jobs/record.ts';
import { costOfStoredFiles, findExceededCost } from '../pricing/cost-limit.ts';
import type { DescribedOutput } from './outputs.ts';
import type { WorkerDeps } from './worker-deps.ts';

/**
 * Compares the limit of a job with what its functions have cost and its finished files will cost, before their upload.
 * Returns the dollars of the files: of their storage, or of the transfer to a storage provider.
 * @throws JobError `COST_LIMIT`
 */
export function requireFittingFiles(
  { pricedStage, clock }: Pick<WorkerDeps, 'pricedStage' | 'clock'>,
  job: JobIn<'processing'>,
  outputs: readonly Pick<DescribedOutput, 'name' | 'file'>[],
): number {
  const files = Object.fromEntries(outputs.map(({ name, file }) => [name, file]));
  const filesUsd = costOfStoredFiles(files, pricedStage, job.destination);
  const exceeded = findExceededCost({ ...job, filesUsd }, pricedStage, clock.now());
  if (exceeded !== undefined) throw exceeded;
  return filesUsd;
}
