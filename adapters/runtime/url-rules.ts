import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import { parseReachableAddresses } from '../../core/net/reachable-address.ts';
import { type StageBuckets, stageBucketSchema } from '../../core/storage/stage-bucket.ts';
import type { RequestUrlRules } from '../../core/submission/assert-allowed-urls.ts';
import { readEnv } from './env.ts';

const urlEnv = z.object({
  WEBHOOK_SCHEMES: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(['https', 'http']))),
  REACHABLE_PRIVATE_ADDRESSES: z.string().transform(parseReachableAddresses),
});

/** The URLs that this stage allows as inputs and as webhook targets, and the buckets whose objects are inputs. */
export function urlRules(): RequestUrlRules {
  const { WEBHOOK_SCHEMES, REACHABLE_PRIVATE_ADDRESSES: reachable } = readEnv(urlEnv);
  return {
    input: { schemes: ['https', 'http'], reachable },
    webhook: { schemes: WEBHOOK_SCHEMES, reachable },
    buckets: readStageBuckets(),
  };
}

/** The buckets that the settings of the stage give to owners. */
export function readStageBuckets(): StageBuckets {
  const { BUCKETS: buckets, AWS_REGION: region } = readEnv(
    z.object({ BUCKETS: jsonText(z.array(stageBucketSchema)).default([]), AWS_REGION: z.string().default('') }),
  );
  return { buckets, region };
}
