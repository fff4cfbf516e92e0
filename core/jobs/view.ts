import { type FileRecord, type JobWarning, referencesSet } from '@media-jobs/video/media';
import type { Principal } from '../access/authentication.ts';
import { AppError } from '../errors.ts';
import { keyBelow } from '../storage/object-key.ts';
import { addMs } from './durations.ts';
import { fileUrl } from './file-url.ts';
import { jobNotFoundMessage } from './job-id.ts';
import { viewWorkers } from './job-result.ts';
import type { FileLinks, JobRef, JobTable } from './ports.ts';
import { outputStatesOf, progressOf } from './progress.ts';
import { isTerminal, type Job, type JobRecord } from './record.ts';
import { defaultPriority } from './request-limits.ts';
import { availableFiles, endOfFile } from './retention.ts';
import { jobStages, type WebhookState } from './states.ts';
import { attemptOf, filenameOf, folderOf, type StoredFile } from './stored-file.ts';
import { viewCost } from './usage.ts';

export type FileRecordView = FileRecord & { storage_url: string; storage_provider_id?: string; storage_key?: string };

/** The fields with signed URLs. They are signed for each response and never stored. */
export type ResultFiles = {
  output?: { signedUrl: string; expiresAt: string };
  outputs?: Record<string, string>;
  output_files?: Record<string, FileRecordView>;
};

/** The files of a job that can be downloaded, by name: of a job of several outputs those that are finished. */
export function downloadableFiles(job: Job, now: Date): Record<string, StoredFile> {
  const isRunning = job.state === 'queued' || job.state === 'processing';
  if (!isRunning) return Object.fromEntries(availableFiles(job, now));
  return (job.request.outputs && job.completedSteps?.result.files) || {};
}

/** A job's finished files with fresh signed URLs, without those that have ended; empty without any. */
export function resultFiles(job: Job, links: FileLinks, now: Date): ResultFiles {
  const downloadable = downloadableFiles(job, now);
  const files = Object.entries(job.request.outputs === undefined ? downloadable : withMainFiles(downloadable));
  if (files.length === 0) return {};
  const signed = files.map(([name, file]) => ({ name, file, ...signFile(links, { job, file, now }) }));
  const output_files = Object.fromEntries(
    signed.map(({ name, file, url }) => {
      const { key: _, storage, endsAt: __, ...record } = file;
      return [name, { ...record, ...locationOf(storage), storage_url: url }];
    }),
  );
  const [only] = signed;
  if (only?.name === 'output' && signed.length === 1 && job.request.outputs === undefined) {
    return { output: { signedUrl: only.url, expiresAt: only.expiresAt.toISOString() }, output_files };
  }
  return { outputs: Object.fromEntries(signed.map(({ name, url }) => [name, url])), output_files };
}

/** A job as its owner reads it over the API. `files` are those of `resultFiles`. */
export function viewJob(job: Job, files: ResultFiles) {
  const {
    mode,
    input,
    inputs,
    output,
    recipe,
    steps,
    outputs,
    speed,
    priority,
    finishBy,
    maxCostUsd,
    keepDays,
    webhookUrl,
    metadata,
  } = job.request;
  return {
    jobId: job.jobId,
    state: job.state,
    progress: progressOf(job),
    stage: job.stage,
    request: {
      ...{ mode, input, inputs, output, recipe, steps, outputs },
      ...{ speed, priority, finishBy, maxCostUsd, keepDays, webhookUrl },
    },
    preset: job.preset,
    priority: priority ?? defaultPriority,
    attempt: job.attempt,
    chunking: 'chunking' in job ? job.chunking : undefined,
    ...viewWorkers(job.request, job.workers),
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
    startedAt: job.startedAt ?? null,
    completedAt: 'completedAt' in job ? job.completedAt : null,
    filesExpireAt: job.state === 'completed' ? job.filesExpireAt : null,
    estimatedEndAt: job.state === 'processing' ? job.estimatedEndAt : undefined,
    inputSizeBytes: job.state === 'completed' ? job.inputSizeBytes : undefined,
    measurements: job.state === 'completed' ? job.measurements : undefined,
    warnings: warningsOf(job),
    retryOf: job.retryOf,
    webhook: webhookOf(job),
    stages: stagesOf(job),
    metadata,
    ...files,
    outputStates: outputStatesOf(job),
    error: 'error' in job ? job.error : undefined,
    cost: 'cost' in job && job.cost !== undefined ? viewCost(job.cost, outputMsOf(job)) : undefined,
  };
}

/**
 * A job in the answer to a request that changes it. A key without `jobs:read` sees what the job was asked to do only if it
 * asked for it itself. Such an answer has no files.
 */
export function viewChangedJob(job: Job, principal: Principal) {
  const view = viewJob(job, {});
  if (principal.caller === 'session') return view;
  const { keyId, scopes } = principal.key;
  if (scopes.includes('jobs:read') || job.authorKeyId === keyId) return view;
  const { request: _, preset: __, metadata: ___, ...rest } = view;
  return rest;
}

function stagesOf({ stageMs, claimedAt }: Job) {
  if (stageMs === undefined || claimedAt === undefined) return undefined;
  return jobStages.flatMap((stage) => {
    const ms = stageMs[stage];
    return ms === undefined ? [] : [{ stage, startedAt: addMs(new Date(claimedAt), ms) }];
  });
}

/** The time of each output of an ended job. */
function outputMsOf(job: Job): Record<string, number> | undefined {
  if (job.state === 'completed') return job.outputMs;
  return 'completedSteps' in job ? job.completedSteps?.result.outputMs : undefined;
}

/** Of a completed job. The error of another one says it all. */
export function warningsOf(job: Job): JobWarning[] {
  return (job.state === 'completed' && job.warnings) || [];
}

/** The URL of a playlist opens all files of its output. None outlives the files. */
function signFile(
  { publicUrl, fileUrlSeconds, setUrlSeconds }: FileLinks,
  { job, file: stored, now }: { job: Job; file: StoredFile; now: Date },
): { url: string; expiresAt: Date } {
  const [output, file] = [folderOf(stored), filenameOf(stored)];
  const isPlaylist = referencesSet(file);
  const endMs = now.getTime() + (isPlaylist ? setUrlSeconds : fileUrlSeconds) * 1000;
  const fileEnd = job.state === 'completed' ? endOfFile(job, stored) : null;
  const lastMs = fileEnd === null ? endMs : Math.min(endMs, Date.parse(fileEnd));
  const expiresAt = new Date(Math.floor(lastMs / 1000) * 1000);
  const scope = isPlaylist ? 'output' : 'file';
  return {
    url: fileUrl({ publicUrl, job: { ...job, attempt: attemptOf(stored) }, output, file, scope, expiresAt }),
    expiresAt,
  };
}

function locationOf(storage: StoredFile['storage']) {
  if (storage === undefined) return {};
  return { storage_provider_id: storage.storageProviderId, storage_key: keyBelow(storage.key, storage.prefix) };
}

/** The delivery of an ended job's webhook; undefined without a target. The path of a target may be a secret. */
export function webhookOf(job: Job): { state: WebhookState; host: string } | undefined {
  if (!isTerminal(job) || job.webhookTarget === null) return undefined;
  const { host } = new URL(job.webhookTarget);
  if (job.pendingDelivery !== undefined) return { state: 'pending', host };
  return { state: job.deliveryOutcome === 'delivered' ? 'delivered' : 'failed', host };
}

/** Reads a job of the owner. Throws AppError NOT_FOUND. */
export async function findJob(jobs: Pick<JobTable, 'get'>, ref: JobRef): Promise<Job> {
  return visibleJob(await jobs.get(ref));
}

/** The job of a record that is not deleted. Throws AppError NOT_FOUND. */
export function visibleJob(job: JobRecord | undefined): Job {
  if (job === undefined || job.state === 'deleted') throw new AppError('NOT_FOUND', jobNotFoundMessage);
  return job;
}

/**
 * The files of a job of several outputs, with the main file of each set under the name of its output: its HLS playlist, the
 * cues of its sprite, or its first file.
 */
function withMainFiles(files: Readonly<Record<string, StoredFile>>): Record<string, StoredFile> {
  const bySet = Map.groupBy(
    Object.entries(files).filter(([name]) => name.includes('/')),
    ([name]) => name.slice(0, name.indexOf('/')),
  );
  const main = [...bySet].flatMap(([output, ofSet]) => {
    const [first] = ofSet;
    const [, file] = ofSet.find(([name]) => [`${output}/hls`, `${output}/vtt`].includes(name)) ?? first ?? [];
    return file === undefined ? [] : [[output, file] as const];
  });
  return { ...files, ...Object.fromEntries(main) };
}
