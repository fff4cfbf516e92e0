import type { JobRecord } from '../../../core/jobs/record.ts';
import { contentKeyInClear } from '../workload/work-of-script.ts';
import { jobInvariant } from './invariant.ts';

/** Files of these jobs are not encrypted any more. */
const needless: readonly JobRecord['state'][] = ['completed', 'deleted'];

export const contentKeysStay = jobInvariant(
  'the record of an encrypted stream has its content key while it, or a retry, may be encoded',
  ({ writes }) =>
    writes.flatMap(({ after }) => {
      const key = 'contentKey' in after ? after.contentKey : undefined;
      if (needless.includes(after.state)) return key === undefined ? [] : [`has its key while ${after.state}`];
      return isEncrypted(after) && key === undefined ? [`has no key while ${after.state}`] : [];
    }),
);

export const contentKeysAreEncrypted = jobInvariant(
  'no record has a content key in clear, and each opens for its owner',
  ({ ownerId, writes }) =>
    writes.flatMap(({ after }) => {
      if (JSON.stringify(after).includes(contentKeyInClear)) return ['has a content key in clear'];
      const key = 'contentKey' in after ? after.contentKey : undefined;
      const opens = key === undefined || key.encrypted.endsWith(`@${ownerId}/${key.jobId}`);
      return opens ? [] : [`has a content key that is not of ${key.jobId}`];
    }),
);

function isEncrypted(job: JobRecord): boolean {
  return 'request' in job && job.request.recipe?.encryption !== undefined;
}
