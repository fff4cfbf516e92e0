import type { Stage } from '@media-jobs/local-stage';
import { usageCounters } from '../../../adapters/dynamodb/usage-counters.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { cancel, complete, failOrReject, type Termination } from '../../../core/jobs/termination.ts';
import { heartbeat } from '../../../core/jobs/transitions.ts';
import { type JobCost, sessionCaller } from '../../../core/jobs/usage.ts';
import { putJobs } from '../../../lab/bench/harness/stage/put-jobs.ts';
import { withStageTable } from '../../../lib/local/stage-table.ts';
import { localOwnerId } from '../../../lib/settings/local-owner.ts';
import { aJobId, aProcessingJob } from '../jobs/jobs.ts';
import { countStoredJobs } from './stored-usage.ts';

/** Writes records directly to a stage's table: a job history without the jobs' run time. Counts the usage of ended jobs. */
export async function storeJobs(stage: Stage, jobs: readonly JobRecord[]): Promise<void> {
  const jobOf = (index: number) => jobs[index] as JobRecord;
  await withStageTable(stage, async (client, tableName) => {
    await putJobs(client, { tableName, count: jobs.length, jobOf });
    await countStoredJobs(usageCounters(client, tableName), jobs);
  });
}

const videoFiles = [
  'harbour-at-dawn.mov',
  'keynote-2026.mp4',
  'interview-raw.mkv',
  'drone-coast.mp4',
  'lecture-07.webm',
];
const recipes: JobRequestRecord[] = [
  { mode: 'recipe', input: { url: '' }, output: { format: 'mp4' }, recipe: { name: 'compress', crf: 28 } },
  { mode: 'recipe', input: { url: '' }, output: { format: 'webm' }, recipe: { name: 'transcode' } },
  { mode: 'recipe', input: { url: '' }, output: { format: 'mp3' }, recipe: { name: 'extract-audio' } },
];

/** Ended jobs of the stage's user, newest first, about one every `everyMinutes` before `until`. */
export function pastJobs(count: number, { until, everyMinutes }: { until: Date; everyMinutes: number }): JobRecord[] {
  return Array.from({ length: count }, (_, index) => {
    // Irregular, as in production.
    const minutes = (index + 1) * everyMinutes * (1 + 0.4 * Math.sin(index));
    return pastJob(index, new Date(until.getTime() - minutes * 60_000));
  });
}

/**
 * A processing job of the stage's user with a fresh heartbeat. It has no worker; reconcile does not look for an hour.
 */
export function encodingJob({
  name,
  now,
  progress,
  remainingSeconds,
}: {
  name: string;
  now: Date;
  progress: number;
  remainingSeconds: number;
}): JobRecord {
  const createdAt = new Date(now.getTime() - 90_000);
  const request: JobRequestRecord = {
    mode: 'recipe',
    input: { url: `https://media.example/${name}` },
    output: { format: 'mp4' },
    recipe: { name: 'compress', crf: 23 },
  };
  const job = aProcessingJob({ ownerId: localOwnerId, jobId: aJobId(1, createdAt), request, createdAt });
  const estimatedEndAt = new Date(now.getTime() + remainingSeconds * 1000).toISOString();
  const update = { stage: 'transcoding', progress, estimatedEndAt, now } as const;
  return { ...heartbeat(job, update).job, dueAt: new Date(now.getTime() + 3_600_000).toISOString() };
}

function pastJob(index: number, createdAt: Date): JobRecord {
  const video = videoFiles[index % videoFiles.length] ?? 'film.mp4';
  const recipe = recipes[index % recipes.length] ?? recipes[0];
  if (recipe === undefined) throw new Error('The list of recipes is empty');
  const request = { ...recipe, input: { url: `https://media.example/${video}` } };
  const jobId = aJobId(index + 1, createdAt);
  const accepted = { ownerId: localOwnerId, jobId, request, createdAt };
  const job = { ...aProcessingJob(accepted), caller: sessionCaller };
  const duration = 60 + (index % 5) * 47;
  const requests = { records: 33_419, api: 3_867 };
  const now = new Date(createdAt.getTime() + 42_000);
  const ending: Termination = { now, webhookTarget: null, deliveryId: `delivery-${index}` };
  const error = {
    message: 'media.example answered 404 Not Found',
    stage: 'downloading',
    retryable: false,
  } as const;
  if (index % 11 === 7) return quiet(cancel(job, ending).job, requests);
  if (index % 9 === 5) {
    const outcome = { state: 'rejected', error: { code: 'INPUT_UNREACHABLE', ...error } } as const;
    return quiet(failOrReject(job, outcome, ending).job, requests);
  }
  const size = 4 + (index % 7) * 3.1;
  const file = {
    key: `jobs/${jobId}/1/output/output.mp4`,
    file_id: `${jobId}-output`,
    filename: `output.${request.output?.format ?? 'mp4'}`,
    size_mbytes: size,
    duration,
    file_type: 'video',
    file_format: request.output?.format ?? 'mp4',
    mime_type: 'video/mp4',
    codec: 'h264',
    width: 1280,
    height: 720,
  } as const;
  const filesExpireAt = new Date(now.getTime() + 30 * 86_400_000).toISOString();
  const result = { files: { output: file }, filesExpireAt, inputSizeBytes: Math.round(size * 3.4e6) };
  return quiet(complete(job, result, ending).job, { ...requests, transcoding: duration * 41_000 });
}

/** The job with its cost, without what would make reconcile look at it. Its usage is counted by `storeJobs`. */
function quiet<J extends JobRecord & { pendingDelivery?: unknown; dueAt?: unknown; sweepAt?: unknown }>(
  job: J,
  cost: JobCost,
): J {
  const { pendingDelivery: _, dueAt: __, sweepAt: ___, ...rest } = job;
  return { ...rest, cost, deliveryOutcome: 'none', usageCounted: true } as unknown as J;
}
