import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { ChunkProgress } from '../../core/jobs/execution-transitions.ts';
import { toItem } from './item.ts';
import { jobKey } from './job-item.ts';

/** The update of one part's percent: under the job's lease, and never downwards. */
export function chunkProgressUpdate(note: ChunkProgress): Omit<UpdateItemCommandInput, 'TableName'> {
  return {
    Key: jobKey(note),
    UpdateExpression: 'SET chunkProgress.#chunk = :percent, progressVersion = progressVersion + :one',
    ConditionExpression:
      'leaseId = :leaseId AND attribute_exists(chunkProgress) AND (attribute_not_exists(chunkProgress.#chunk) OR chunkProgress.#chunk < :percent)',
    ExpressionAttributeNames: { '#chunk': String(note.chunk) },
    ExpressionAttributeValues: toItem({ ':percent': note.percent, ':leaseId': note.leaseId, ':one': 1 }),
  };
}
