import type { Workspace } from '@media-jobs/video/ffmpeg';
import { fetchUnpublished } from '../../core/publish/fetch-unpublished.ts';
import { storeResult } from '../../core/publish/store-result.ts';
import { uploadMsOfRetry } from '../../core/storage/upload-time.ts';
import type { EncodeJobDeps, WorkerContext } from '../../core/worker/worker-deps.ts';
import type { CostContext } from './attempt.ts';
import { admit } from './money.ts';

/**
 * Uploads the encoded files of a retried job, which wait in the media bucket, to its storage provider. Undefined if the job
 * has none, or if one of them is gone.
 * @throws JobError `COST_LIMIT`, or UnpublishedError if the provider rejects them
 */
export async function storeUnpublished(
  deps: EncodeJobDeps,
  context: WorkerContext & CostContext,
  workspace: Workspace,
): Promise<Awaited<ReturnType<typeof storeResult>> | undefined> {
  const { unpublished } = context.job;
  if (unpublished === undefined) return undefined;
  context.limitCost(context.job, await admit(deps, context.job, { unpublished }));
  const waiting = await fetchUnpublished(deps, context, { unpublished, workspace });
  return waiting && storeResult(deps, context, waiting, uploadMsOfRetry);
}
