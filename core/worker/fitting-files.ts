import { hasCostLimit } from '../jobs/job-cost.ts';
import type { JobIn } from '../jobs/record.ts';
import type { StoredFile } from '../jobs/stored-file.ts';
import { costOfStoredFiles, findExceededCost } from '../pricing/cost-limit.ts';
import type { WorkerPorts } from './ports.ts';

/**
 * Compares the limit of a job with what its functions have cost and its finished files will cost, before their upload.
 * Returns the dollars of the files: of their storage, or of the transfer to a storage provider; 0 without a limit.
 * @throws JobError `COST_LIMIT`
 */
export function requireFittingFiles(
  { money: { stage }, clock }: WorkerPorts,
  job: JobIn<'processing'>,
  outputs: readonly { name: string; file: StoredFile }[],
): number {
  if (!hasCostLimit(job)) return 0;
  const files = Object.fromEntries(outputs.map(({ name, file }) => [name, file]));
  const filesUsd = costOfStoredFiles(files, stage, job);
  const exceeded = findExceededCost({ ...job, filesUsd }, stage, clock.now());
  if (exceeded !== undefined) throw exceeded;
  return filesUsd;
}
