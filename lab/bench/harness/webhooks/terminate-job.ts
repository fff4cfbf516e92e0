import { SQSClient } from '@aws-sdk/client-sqs';
import type { Stage } from '@media-jobs/local-stage';
import { clientOptions, queueUrl } from '@media-jobs/local-stage/emulators';
import { v7 } from 'uuid';
import { jobTable } from '../../../../adapters/dynamodb/job-table.ts';
import { settingsTable } from '../../../../adapters/dynamodb/settings-table.ts';
import { deliveryQueue } from '../../../../adapters/sqs/queues.ts';
import { systemClock } from '../../../../adapters/system/clock.ts';
import { cancel } from '../../../../core/jobs/termination.ts';
import { create } from '../../../../core/jobs/transitions.ts';
import { terminateJob } from '../../../../core/termination/terminate-job.ts';
import { withStageTable } from '../../../../lib/local/stage-table.ts';
import { localOwnerId } from '../../../../lib/settings/local-owner.ts';

/**
 * Creates a job of the stage, by default of its first owner, and terminates it as functions do: the terminal write and the
 * start of the delivery. Resolves to the time just before the write, in ms of `performance.now`.
 */
export type TerminateJob = (jobId: string, webhookUrl: string, ownerId?: string) => Promise<number>;

const request = {
  mode: 'recipe',
  input: { url: 'https://media.example/in.mp4' },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28 },
};

/** Runs `work` with a function that terminates jobs through the stage's table and delivery queue. */
export async function withJobTermination<T>(stage: Stage, work: (endAJob: TerminateJob) => Promise<T>): Promise<T> {
  const name = stage.resources.queues.find((queue) => queue.endsWith('-deliveries')) ?? '';
  const sqs = new SQSClient({ ...clientOptions(stage.endpoints.sqs), useQueueUrlAsEndpoint: false });
  try {
    return await withStageTable(stage, (client, tableName) => {
      const ports = {
        jobs: jobTable(client, tableName),
        settings: settingsTable(client, tableName),
        deliveries: deliveryQueue(sqs, queueUrl(stage.endpoints.sqs, name)),
        clock: systemClock,
        newId: () => v7(),
        money: { stage: { architecture: 'arm64' as const, memoryMb: 3008, retentionDays: 30 } },
        onDeliveryStartFailed: (_: unknown, cause: unknown) => {
          throw cause;
        },
      };
      return work(async (jobId, webhookUrl, ownerId = localOwnerId) => {
        const accepted = create({
          ownerId,
          jobId,
          request: { ...request, webhookUrl },
          urlSecret: '',
          now: systemClock.now(),
        });
        await ports.jobs.write(accepted);
        const endedAt = performance.now();
        await terminateJob(ports, accepted.job, (ending) => cancel(accepted.job, ending));
        return endedAt;
      });
    });
  } finally {
    sqs.destroy();
  }
}
