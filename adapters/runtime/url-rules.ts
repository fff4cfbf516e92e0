import * as z from 'zod';
import type { UrlRules } from '../../core/net/check-url.ts';
import { parseReachableAddresses } from '../../core/net/reachable-address.ts';
import { readEnv } from './env.ts';

const urlEnv = z.object({
  WEBHOOK_SCHEMES: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(['https', 'http']))),
  REACHABLE_PRIVATE_ADDRESSES: z.string().transform(parseReachableAddresses),
});

/** The URLs that this stage allows as inputs and as webhook targets. */
export function urlRules(): { input: UrlRules; webhook: UrlRules } {
  const { WEBHOOK_SCHEMES, REACHABLE_PRIVATE_ADDRESSES: reachable } = readEnv(urlEnv);
  return {
    input: { schemes: ['https', 'http'], reachable },
    webhook: { schemes: WEBHOOK_SCHEMES, reachable },
  };
}
