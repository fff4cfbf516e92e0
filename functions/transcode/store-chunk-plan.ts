import { type MediaLocation, type StoredObject, workHash, writePlan } from '@media-jobs/video/chunking';
import type { StepsInBucket } from '../../core/jobs/job-result.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { stepPrefix, workKeys } from '../../core/jobs/stored-file.ts';
import { parseUploadUrl, uploadKey } from '../../core/uploads/upload.ts';
import { findIntermediate } from '../../core/worker/outputs.ts';
import type { JobPorts, WorkerPorts } from '../../core/worker/ports.ts';
import type { AttemptRecord } from '../../core/worker/run-log.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';
import {
  type ChunkSource,
  type GraphState,
  type PlannedChunkedWork,
  recorded,
  type StoredChunkPlan,
  stepAt,
  withIntermediate,
} from './graph-state.ts';
import { isWorkFile } from './remote-source.ts';

/** Stores the plan of a step in chunks, after what the steps before it, which have run here, leave for it and for others. */
export async function storeStepInChunks(
  deps: JobPorts,
  context: WorkerContext,
  { planned, state }: { planned: PlannedChunkedWork; state: GraphState },
): Promise<StoredChunkPlan> {
  const { downloaded: inputs } = state.fetched;
  const { state: stored, source } = await storeIntermediate(deps, context, state);
  const copy = source === undefined ? stored.completed.source : undefined;
  const sources = source === undefined ? planned.sources : [source];
  const plan = await storeChunkPlan(deps, context, { ...planned, sources, inputs, copy });
  const { firstSource, ...storedPlan } = plan;
  const { steps, index } = state;
  // The next worker reads what was copied for the chunks of this step.
  const readsInputs = steps[index]?.from === undefined && steps.length > 1;
  const completed = recorded(stored);
  const kept = readsInputs && firstSource !== undefined ? { source: firstSource } : {};
  if (steps.length === 1 && steps[0]?.output === undefined) return storedPlan;
  return { ...storedPlan, steps: { ...completed, ...kept } };
}

/**
 * Stores the input files of the chunk tasks and then the plan. Reuses objects of an earlier attempt at the same work, and
 * does not copy a source that was uploaded or is at a storage provider.
 */
export async function storeChunkPlan(
  deps: JobPorts,
  context: WorkerContext,
  { work, sources: planned, overlayPath, inputs, runs, copy }: PlannedChunkedWork & PlanFiles,
): Promise<StoredChunkPlan & { firstSource?: StepsInBucket['source'] }> {
  const { job } = context;
  const located: ChunkSource[] = [];
  for (const [number, source] of planned.entries())
    located.push(await locateSource(deps, context, { source, number, copy }));
  const keys = workKeys(job.jobId, workHash(work, located));
  const sources: MediaLocation[] = [];
  for (const [number, source] of located.entries()) {
    const stored = source.location ?? storeFile(deps, context, { ...source, key: keys.source(number) });
    sources.push(await stored);
  }
  const overlay =
    overlayPath === undefined || work.overlay === undefined
      ? undefined
      : await storeFile(deps, context, { path: overlayPath, key: keys.overlay, sizeBytes: work.overlay.sizeBytes });
  await deps.files.writeText(keys.plan, writePlan({ work, sources, overlay, inputs, runs }));
  const [first] = sources;
  const [{ sizeBytes } = { sizeBytes: 0 }] = planned;
  const isInBucket = first !== undefined && isWorkFile(first, job);
  return { work, planKey: keys.plan, ...(isInBucket && { firstSource: { ...first, sizeBytes } }) };
}

type PlanFiles = { inputs: AttemptRecord['inputs']; copy?: StepsInBucket['source'] };

/** Finds a downloaded source in its bucket, where chunk tasks read it. One that is in none has to be stored. */
async function locateSource(
  deps: JobPorts,
  context: WorkerContext,
  { source, number, copy }: { source: ChunkSource; number: number; copy: StepsInBucket['source'] },
): Promise<ChunkSource> {
  if (copy !== undefined && copy.sizeBytes === source.sizeBytes)
    return { location: { key: copy.key, etag: copy.etag }, sizeBytes: source.sizeBytes };
  const { location = await findSource(deps, context, { ...source, number }), sizeBytes } = source;
  return location === undefined ? source : { location, sizeBytes };
}

/**
 * The uploaded object, or that of a storage provider, that is the job's source. Undefined if an upload was removed, or if
 * the object was replaced since the download.
 */
async function findSource(
  { files, sources }: JobPorts,
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

/** Stores a file of the chunk tasks, unless an earlier attempt has. */
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
  state: GraphState,
): Promise<{ state: GraphState; source?: { location: MediaLocation; sizeBytes: number } }> {
  const { from } = stepAt(state);
  if (from === undefined) return { state };
  const { completed, made } = state;
  const output = made.get(from);
  if (completed.intermediates[from] === undefined && output !== undefined) {
    const key = `${stepPrefix(context.job.jobId, deps.newId())}${output.path.split('/').at(-1)}`;
    await deps.files.upload({ path: output.path, key, mimeType: 'application/octet-stream', signal: context.signal });
    return storeIntermediate(deps, context, { ...state, completed: withIntermediate(completed, from, { key }) });
  }
  const { key } = completed.intermediates[from] ?? {};
  if (key === undefined) throw new TypeError(`The output of step ${from + 1} was not stored`);
  const { sizeBytes, ...location } = await findIntermediate(deps, key);
  return { state, source: { location, sizeBytes } };
}
