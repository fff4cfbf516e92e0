import {
  type ChunkedWork,
  chunkTasks,
  type MediaLocation,
  runsFirst,
  type StoredObject,
  workHash,
  writePlan,
} from '@media-jobs/video/chunking';
import {
  delegateToExecution,
  recordExecution,
  type StepsInBucket,
} from '../../core/jobs/execution-transitions.ts';
import { joinGroup, messageGroup } from '../../core/jobs/message-groups.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { workKeys } from '../../core/jobs/work-files.ts';
import { parseStorageUrl } from '../../core/storage/storage-url.ts';
import { parseUploadUrl, uploadKey } from '../../core/uploads/upload.ts';
import type { AttemptRecord } from '../../core/worker/run-log.ts';
import type { TranscodeDeps, WorkerContext, WorkerDeps } from '../../core/worker/worker-deps.ts';
import { delegateJob } from './delegate-job.ts';
import type { ChunkSource, PlannedChunkedWork } from './plan-chunked-work.ts';

export type StoredChunkPlan = {
  work: ChunkedWork;
  planKey: string;
  /** The completed steps of a pipeline, if the worker has run some in front of this one. */
  steps?: StepsInBucket | undefined;
};

/**
 * Stores the input files of the chunk tasks and then the plan. Reuses objects of an earlier attempt at the same work, and
 * does not copy a source that was uploaded or is at a storage provider.
 */
export async function storeChunkPlan(
  deps: TranscodeDeps,
  context: WorkerContext,
  { work, sources: planned, overlayPath, inputs, runs }: PlannedChunkedWork & Pick<AttemptRecord, 'inputs'>,
): Promise<StoredChunkPlan> {
  const { job } = context;
  const located: ChunkSource[] = [];
  for (const [number, source] of planned.entries())
    located.push(await locateSource(deps, context, { source, number }));
  const keys = workKeys(job.jobId, workHash(work, located));
  const sources: MediaLocation[] = [];
  for (const [number, source] of located.entries()) {
    const stored = source.location ?? storeFile(deps, context, { ...source, key: keys.source(number) });
    sources.push(await stored);
  }
  const overlay =
    overlayPath === undefined || work.overlay === undefined
      ? undefined
      : await storeFile(deps, context, {
          path: overlayPath,
          key: keys.overlay,
          sizeBytes: work.overlay.sizeBytes,
        });
  await deps.workFiles.writeText(keys.plan, writePlan({ work, sources, overlay, inputs, runs }));
  return { work, planKey: keys.plan };
}

/** A downloaded source that is the copy of an object is read there; another one has to be stored. */
async function locateSource(
  deps: TranscodeDeps,
  context: WorkerContext,
  { source, number }: { source: ChunkSource; number: number },
): Promise<ChunkSource> {
  const { location = await findSource(deps, context, { ...source, number }), sizeBytes } = source;
  return location === undefined ? source : { location, sizeBytes };
}

/**
 * The uploaded object, or that of a storage provider, that is the job's source. Undefined if an upload was removed, or if
 * the object was replaced since the download.
 */
async function findSource(
  { workFiles, findStored }: Pick<TranscodeDeps, 'workFiles' | 'findStored'>,
  { job: { request, ownerId }, signal }: WorkerContext,
  { number, sizeBytes }: { number: number; sizeBytes: number },
): Promise<StoredObject | undefined> {
  const url = inputUrls(request)[number] ?? '';
  const stored = parseStorageUrl(url);
  if (stored !== undefined) {
    const found = await findStored({ ownerId, ...stored }, signal);
    // Ranges need a strong ETag (RFC 9110, 13.1.1).
    const isSame = found.sizeBytes === sizeBytes && found.etag.startsWith('"');
    return isSame ? { ...stored, etag: found.etag } : undefined;
  }
  const upload = parseUploadUrl(url);
  if (upload === undefined) return undefined;
  const key = uploadKey(ownerId, upload.objectId);
  const found = await workFiles.find(key);
  return found?.sizeBytes === sizeBytes ? { key, etag: found.etag } : undefined;
}

async function storeFile(
  { files, workFiles }: WorkerDeps,
  { signal }: WorkerContext,
  { path, key, sizeBytes }: { path: string; key: string; sizeBytes: number },
): Promise<StoredObject> {
  const earlier = await workFiles.find(key);
  if (earlier?.sizeBytes === sizeBytes) return { key, etag: earlier.etag };
  await files.upload({ path, key, mimeType: 'application/octet-stream', signal });
  const stored = await workFiles.find(key);
  if (stored === undefined) throw new Error(`${key} is missing right after its upload`);
  return { key, etag: stored.etag };
}

/** Delegates a job to an execution of the state machine that encodes its chunks. */
export async function startExecution(
  deps: TranscodeDeps,
  job: JobIn<'processing'>,
  { work, planKey, steps }: StoredChunkPlan,
): Promise<'delegated' | 'lost'> {
  const { jobs, parallel, clock, maxRunningChunks } = deps;
  const { ownerId, jobId, attempt, leaseId } = job;
  // Audio first: it is one task for the whole video and takes the longest.
  const groupOf = (index: number) => messageGroup(job, index, maxRunningChunks);
  const tasks = chunkTasks(work);
  const queued = [...tasks.entries()]
    .reverse()
    .map(([chunk, task], index) => ({ task, entry: { chunk, group: groupOf(index) } }));
  const entriesOf = (isFirst: boolean) =>
    queued.flatMap(({ task, entry }) => (runsFirst(work, task) === isFirst ? entry : []));
  // The join is a task too: it records progress.
  const execution = { name: `${jobId}-${attempt}`, taskCount: tasks.length + 1 };
  const input = {
    ownerId,
    jobId,
    leaseId,
    planKey,
    first: entriesOf(true),
    chunks: entriesOf(false),
    group: joinGroup(job, maxRunningChunks),
  };
  return delegateJob(deps, job, {
    record: (current) => recordExecution(current, { execution, steps, now: clock.now() }),
    start: () => parallel.start({ name: execution.name, input }),
    // A rejected write is fine: reconcile has written it, or the job has ended. The execution runs in any case.
    onStarted: async (delegated) => void (await jobs.write(delegateToExecution(delegated, clock.now()))),
  });
}
