import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { clientOptions } from '@media-jobs/local-stage/emulators';
import { jobItem } from '../../../../adapters/dynamodb/job-item.ts';
import { newJobId } from '../../../../adapters/system/clock.ts';
import { attemptPath, fileKey } from '../../../../core/jobs/stored-file.ts';
import { withStageTable } from '../../../../lib/local/stage-table.ts';
import { localOwnerId } from '../../../../lib/settings/local-owner.ts';
import { aCompletedJob, withSettledDelivery } from '../../../../test/builders/jobs/ended-jobs.ts';
import type { HostedStage } from '../stage/hosted-stage.ts';
import { putJobs } from '../stage/put-jobs.ts';
import { itemBytes } from './item-size.ts';

const dayMs = 86_400_000;
/** What a read unit of DynamoDB reads, strongly consistent. */
const unitBytes = 4096;

/** Stores a completed job with one small file on a stage. `readUnits` is what a consistent read of its record takes. */
export async function seedFile({ endpoints, resources }: HostedStage) {
  const now = new Date();
  const jobId = newJobId(now);
  const example = aCompletedJob().files.output;
  if (example === undefined) throw new Error('The example of a completed job has no output.');
  const key = fileKey(`jobs/${attemptPath({ jobId, attempt: 1 })}`, { filename: 'output.mp4' });
  const files = { output: { ...example, key } };
  const filesExpireAt = new Date(now.getTime() + dayMs).toISOString();
  const completed = aCompletedJob({ ownerId: localOwnerId, jobId, files, filesExpireAt });
  const job = withSettledDelivery(completed, 'none');
  const s3 = new S3Client({ ...clientOptions(endpoints.s3), forcePathStyle: true });
  await s3.send(new PutObjectCommand({ Bucket: resources.buckets[0], Key: key, Body: 'media' }));
  s3.destroy();
  await withStageTable({ endpoints, resources }, (client, tableName) =>
    putJobs(client, { tableName, count: 1, jobOf: () => job }),
  );
  return { jobId, readUnits: Math.ceil(itemBytes(jobItem(job)) / unitBytes) };
}
