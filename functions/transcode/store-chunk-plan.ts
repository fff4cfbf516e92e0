import { type StoredObject, workHash, writePlan } from '../../core/chunking/plan/chunk-plan.ts';
import { workKeys } from '../../core/chunking/plan/work-files.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { parseUploadUrl, uploadKey } from '../../core/uploads/upload.ts';
import type { WorkerContext, WorkerDeps } from '../worker/worker-deps.ts';
import type { PlannedChunkedWork } from './plan-chunked-work.ts';

/**
 * Puts into the bucket what other functions need to work on the parts, the plan last; returns its key. What is there
 * from an earlier attempt at the same work stays as it is, and so does an upload.
 */
export async function storeChunkPlan(
  ports: WorkerDeps,
  context: WorkerContext,
  { work, sourcePath, overlayPath, runs }: PlannedChunkedWork,
): Promise<{ planKey: string }> {
  const { job } = context;
  const keys = workKeys(job.jobId, workHash(work));
  const copy = { path: sourcePath, key: keys.source, sizeBytes: work.source.sizeBytes };
  const source = (await uploadOf(ports, job, copy)) ?? (await keep(ports, context, copy));
  const overlay =
    overlayPath === undefined || work.overlay === undefined
      ? {}
      : {
          overlay: await keep(ports, context, {
            path: overlayPath,
            key: keys.overlay,
            sizeBytes: work.overlay.sizeBytes,
          }),
        };
  await ports.workFiles.writeText(keys.plan, writePlan({ work, source, ...overlay, runs }));
  return { planKey: keys.plan };
}

/** The object that the input is already, where it is an upload that is still there as it was downloaded. */
async function uploadOf(
  { workFiles }: WorkerDeps,
  { request, ownerId }: JobIn<'processing'>,
  { sizeBytes }: { sizeBytes: number },
): Promise<StoredObject | undefined> {
  const upload = parseUploadUrl(inputUrls(request)[0] ?? '');
  if (upload === undefined) return undefined;
  const key = uploadKey(ownerId, upload.objectId);
  const found = await workFiles.find(key);
  return found?.sizeBytes === sizeBytes ? { key, etag: found.etag } : undefined;
}

async function keep(
  { files, workFiles }: WorkerDeps,
  { signal }: WorkerContext,
  { path, key, sizeBytes }: { path: string; key: string; sizeBytes: number },
): Promise<StoredObject> {
  const earlier = await workFiles.find(key);
  if (earlier?.sizeBytes === sizeBytes) return { key, etag: earlier.etag };
  await files.upload({ path, key, mimeType: 'application/octet-stream', signal });
  const stored = await workFiles.find(key);
  if (stored === undefined) throw new Error(`${key} is gone as soon as it was stored`);
  return { key, etag: stored.etag };
}
