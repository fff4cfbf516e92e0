import { type MediaLocation, type StoredObject, workHash, writePlan } from '@media-jobs/video/chunking';
import type { StepsInBucket } from '../../core/jobs/execution-transitions.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { stepPrefix, workKeys } from '../../core/jobs/work-files.ts';
import { parseUploadUrl, uploadKey } from '../../core/uploads/upload.ts';
import { describeOutputs, storeOutputs } from '../../core/worker/outputs.ts';
import type { MeasuredOutput } from '../../core/worker/package-stream.ts';
import type { FunctionPorts, JobPorts, WorkerPorts } from '../../core/worker/ports.ts';
import type { AttemptRecord } from '../../core/worker/run-log.ts';
import { findIntermediate, storeStepOutputs } from '../../core/worker/step-outputs.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';
import type { ChunkSource, PlannedChunkedWork } from './chunked-work.ts';
import type { StoredChunkPlan } from './outcome.ts';
import type { PipelineState } from './pipeline-state.ts';

/** Stores the plan of a step in chunks, behind what the steps that have run in this process leave for it. */
export async function storeChunks(
  deps: FunctionPorts,
  context: WorkerContext,
  { planned, state }: { planned: PlannedChunkedWork; state: PipelineState },
): Promise<StoredChunkPlan> {
  const { downloaded: inputs } = state.fetched;
  if (state.intermediate === undefined) return storeChunkPlan(deps, context, { ...planned, inputs });
  const { steps, source } = await storeIntermediate(deps, context, state);
  return { ...(await storeChunkPlan(deps, context, { ...planned, sources: [source], inputs })), steps };
}

/**
 * Stores the input files of the chunk tasks and then the plan. Reuses objects of an earlier attempt at the same work, and
 * does not copy a source that was uploaded or is at a storage provider.
 */
export async function storeChunkPlan(
  deps: FunctionPorts,
  context: WorkerContext,
  { work, sources: planned, overlayPath, inputs, runs }: PlannedChunkedWork & { inputs: AttemptRecord['inputs'] },
): Promise<StoredChunkPlan> {
  const { job } = context;
  const located: ChunkSource[] = [];
  for (const [number, source] of planned.entries()) located.push(await locateSource(deps, context, { source, number }));
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
  await deps.files.writeText(keys.plan, writePlan({ work, sources, overlay, inputs, runs }));
  return { work, planKey: keys.plan };
}

/** A downloaded source that is the copy of an object is read there; another one has to be stored. */
async function locateSource(
  deps: FunctionPorts,
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
  { files, sources }: FunctionPorts,
  { job: { request, ownerId }, signal }: WorkerContext,
  { number, sizeBytes }: { number: number; sizeBytes: number },
): Promise<StoredObject | undefined> {
  const url = inputUrls(request)[number] ?? '';
  const stored = await sources.findStored({ ownerId, url }, signal);
  if (stored !== undefined) {
    const { sizeBytes: storedBytes, ...object } = stored;
    // Ranges need a strong ETag (RFC 9110, 13.1.1).
    return storedBytes === sizeBytes && object.etag.startsWith('"') ? object : undefined;
  }
  const upload = parseUploadUrl(url);
  if (upload === undefined) return undefined;
  const key = uploadKey(ownerId, upload.objectId);
  const found = await files.find(key);
  return found?.sizeBytes === sizeBytes ? { key, etag: found.etag } : undefined;
}

async function storeFile(
  { files }: WorkerPorts,
  { signal }: WorkerContext,
  { path, key, sizeBytes }: { path: string; key: string; sizeBytes: number },
): Promise<StoredObject> {
  const earlier = await files.find(key);
  if (earlier?.sizeBytes === sizeBytes) return { key, etag: earlier.etag };
  await files.upload({ path, key, mimeType: 'application/octet-stream', signal });
  const stored = await files.find(key);
  if (stored === undefined) throw new Error(`${key} is missing right after its upload`);
  return { key, etag: stored.etag };
}

/** Stores what the steps that have run in this process leave for the next one, which is encoded in chunks. */
async function storeIntermediate(
  deps: JobPorts,
  context: WorkerContext,
  { index: count, completed, outputs, intermediate, result }: PipelineState,
): Promise<{ steps: StepsInBucket; source: { location: MediaLocation; sizeBytes: number } }> {
  if (intermediate === undefined) throw new TypeError(`No step has run in front of step ${count + 1}`);
  const { job } = context;
  const unseen = { ...context, report: () => undefined };
  const store = async (measured: readonly MeasuredOutput[]) =>
    storeOutputs(deps, unseen, describeOutputs(deps, context, measured, stepPrefix(job.jobId, deps.newId())));
  const files = await store(outputs);
  const named = outputs.find(({ path }) => path === intermediate.path)?.planned.name;
  const stored = named === undefined ? Object.values(await store([intermediate]))[0] : files[named];
  if (stored === undefined) throw new TypeError(`The output of step ${count} was not stored`);
  const { sizeBytes, ...location } = await findIntermediate(deps, { intermediate: stored.key });
  const steps = await storeStepOutputs(deps, job, {
    count,
    intermediate: stored.key,
    result: { ...result, files: { ...completed?.result.files, ...files } },
  });
  return { steps, source: { location, sizeBytes } };
}
