import * as z from 'zod';
import { hasOriginSecret } from '../../../core/access/origin-secret.ts';
import { AppError } from '../../../core/errors.ts';
import { readEnv } from '../env.ts';

type AssertFromEdge = (headers: Record<string, string | undefined>) => void;

const edgeEnv = z.object({ ORIGIN_SECRET: z.string().optional() });

/**
 * Rejects requests that did not come through the edge of the stage: its firewall would not apply to them. Accepts all
 * requests on a stage without an edge. Throws AppError FORBIDDEN.
 */
export function edgeCheckFromEnvironment(): AssertFromEdge {
  const { ORIGIN_SECRET } = readEnv(edgeEnv);
  if (ORIGIN_SECRET === undefined) return () => {};
  return (headers) => {
    if (hasOriginSecret(headers, ORIGIN_SECRET)) return;
    throw new AppError('FORBIDDEN', 'This address is not public: use the public address of the service.');
  };
}
