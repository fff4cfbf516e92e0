import { randomUUID } from 'node:crypto';
import { arn, sqsEvent } from '@media-jobs/local-stage';
import type { InvocationResult } from '@media-jobs/local-stage/lambda';
import { newJobId } from '../../../../adapters/system/clock.ts';
import { localOwnerId } from '../../../../lib/settings/local-owner.ts';
import { quantile } from '../figures/figure.ts';
import { wallSeconds } from '../process/bare-runs.ts';
import { benchStage } from '../stage/bench-stage.ts';

const starts = 5;

/**
 * The wall seconds of a chunk task whose job is missing, from the start of its process to its answer: about the time
 * before ffmpeg. The median of several.
 */
export async function chunkTaskStartSeconds(): Promise<number> {
  await using bench = await benchStage();
  const { stage } = bench;
  const name = stage.resources.functions.find((each) => each.endsWith('-encode-chunk')) ?? '';
  const queue = stage.resources.queues.find((each) => each.endsWith('-encode-chunk.fifo')) ?? '';
  const event = missingChunkEvent(arn('sqs', queue));
  const seconds: number[] = [];
  while (seconds.length < starts) {
    await stage.faults.killSandboxes(name);
    seconds.push(await wallSeconds(async () => requireLost(await stage.invoke(name, event))));
  }
  return quantile(seconds, 0.5);
}

function requireLost(result: InvocationResult): void {
  if (!result.ok || result.payload !== '{"status":"lost"}') throw new Error(JSON.stringify(result));
}

/** The event of a chunk task whose job does not exist. */
function missingChunkEvent(queueArn: string): object {
  const jobId = newJobId(new Date());
  const planKey = `work/${jobId}/none/plan.json`;
  const task = { ownerId: localOwnerId, jobId, leaseId: 'none', planKey, chunk: 0, failed: false };
  const message = {
    MessageId: randomUUID(),
    ReceiptHandle: randomUUID(),
    Body: JSON.stringify({ taskToken: randomUUID(), task }),
    MD5OfBody: '',
    Attributes: { ApproximateReceiveCount: '1', MessageGroupId: localOwnerId },
  };
  return sqsEvent([message], queueArn);
}
