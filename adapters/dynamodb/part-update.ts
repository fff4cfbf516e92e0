import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { PartNote } from '../../core/jobs/parallel.ts';
import { toItem } from './item.ts';
import { jobKey } from './job-item.ts';

/** The update of one part's percent: under the job's lease, and never downwards. */
export function partUpdate(note: PartNote): Omit<UpdateItemCommandInput, 'TableName'> {
  return {
    Key: jobKey(note),
    UpdateExpression: 'SET partProgress.#part = :percent, notes = notes + :one',
    ConditionExpression:
      'leaseId = :leaseId AND attribute_exists(partProgress) AND (attribute_not_exists(partProgress.#part) OR partProgress.#part < :percent)',
    ExpressionAttributeNames: { '#part': String(note.part) },
    ExpressionAttributeValues: toItem({ ':percent': note.percent, ':leaseId': note.leaseId, ':one': 1 }),
  };
}
