import { randomUUID } from 'node:crypto';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { create } from '../../core/jobs/transitions.ts';
import { newJobId } from '../../functions/runtime/random.ts';
import { sqsEvent } from '../../local/event-sources/sqs-event.ts';
import type { Stage } from '../../local/stage.ts';
import { localOwnerId, withStageTable } from '../../local/stage-table.ts';

/** Records a queued job behind the API's back, so that no worker of the stage hears of it. Returns its id. */
export async function recordJob(stage: Stage, url: string): Promise<string> {
  const now = new Date();
  const jobId = newJobId(now);
  const request = {
    mode: 'recipe',
    input: { url },
    output: { format: 'mp4' },
    recipe: { name: 'compress', crf: 28 },
  };
  await withStageTable(stage, (client, table) =>
    jobTable(client, table).write(create({ ownerId: localOwnerId, jobId, request, now })),
  );
  return jobId;
}

/** The event with which SQS hands a job to the transcoder, as JSON. */
export function sqsMessageFor(jobId: string, queueArn: string): string {
  const Body = JSON.stringify({ ownerId: localOwnerId, jobId });
  const message = { MessageId: randomUUID(), ReceiptHandle: randomUUID(), Body, MD5OfBody: '' };
  return JSON.stringify(sqsEvent([message], queueArn));
}

/** The event about a part, and about the join, of a job that is not there: whoever gets it says that it is lost. */
export function missingChunkEvent(): string {
  const jobId = newJobId(new Date());
  const planKey = `work/${jobId}/none/plan.json`;
  return JSON.stringify({ ownerId: localOwnerId, jobId, leaseId: 'none', planKey, part: 0, failed: false });
}

/**
 * The job as the API shows it, once the worker has answered.
 *
 * @throws Error where it is not completed, or its file cannot be downloaded
 */
export async function completedJob(stage: Stage, jobId: string, apiKey: string): Promise<JobResource> {
  const answer = await fetch(`${stage.baseUrl}/api/v1/jobs/${jobId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const job = (await answer.json()) as JobResource;
  if (job.state !== 'completed') throw new Error(`The job is ${job.state}: ${JSON.stringify(job.error)}`);
  const file = await fetch(job.output?.signedUrl ?? '');
  const bytes = (await file.arrayBuffer()).byteLength;
  if (!file.ok || bytes === 0) throw new Error(`The file of the job answered ${file.status}, ${bytes} bytes`);
  return job;
}
