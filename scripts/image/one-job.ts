import { randomUUID } from 'node:crypto';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { type JobResource, jobResourceSchema } from '../../core/api/job-resource.ts';
import { create } from '../../core/jobs/transitions.ts';
import { newJobId } from '../../functions/runtime/random.ts';
import { localOwnerId, withStageTable } from '../../lib/local/stage-table.ts';
import { type SqsMessage, sqsEvent } from '../../local/event-sources/sqs-event.ts';
import type { Stage } from '../../local/stage.ts';

/** Writes a queued job without a message, so that no worker of the stage processes it. Returns its id. */
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
    jobTable(client, table).write(create({ ownerId: localOwnerId, jobId, request, urlSecret: '', now })),
  );
  return jobId;
}

/** The SQS event of a job for the transcoder, as JSON. */
export function sqsMessageFor(jobId: string, queueArn: string): string {
  return JSON.stringify(sqsEvent([aMessage({ ownerId: localOwnerId, jobId })], queueArn));
}

/** An event for encode-chunk or join-chunks of a job that does not exist: the worker reports it as lost. */
export function missingChunkEvent(queueArn: string): object {
  const jobId = newJobId(new Date());
  const planKey = `work/${jobId}/none/plan.json`;
  const task = { ownerId: localOwnerId, jobId, leaseId: 'none', planKey, chunk: 0, failed: false };
  return sqsEvent([aMessage({ taskToken: randomUUID(), task }, { MessageGroupId: localOwnerId })], queueArn);
}

function aMessage(body: object, attributes: Record<string, string> = {}): SqsMessage {
  return {
    MessageId: randomUUID(),
    ReceiptHandle: randomUUID(),
    Body: JSON.stringify(body),
    MD5OfBody: '',
    Attributes: { ApproximateReceiveCount: '1', ...attributes },
  };
}

/**
 * Reads a completed job from the API and downloads its file.
 *
 * @throws Error if the job is not completed, or its file cannot be downloaded
 */
export async function completedJob(stage: Stage, jobId: string, apiKey: string): Promise<JobResource> {
  const answer = await fetch(`${stage.baseUrl}/api/v1/jobs/${jobId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const job = jobResourceSchema.parse(await answer.json());
  if (job.state !== 'completed') throw new Error(`The job is ${job.state}: ${JSON.stringify(job.error)}`);
  const file = await fetch(job.output?.signedUrl ?? '');
  const bytes = (await file.arrayBuffer()).byteLength;
  if (!file.ok || bytes === 0) throw new Error(`The file of the job answered ${file.status}, ${bytes} bytes`);
  return job;
}
