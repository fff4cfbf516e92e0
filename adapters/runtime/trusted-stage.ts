import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import type { TrustedStage } from '../../core/storage/external-id.ts';
import { readEnv } from './env.ts';

const trustEnv = z.object({
  STAGE: z.string(),
  TRUSTED_STAGE: jsonText(z.strictObject({ accountId: z.string(), partition: z.string(), namePrefix: z.string() })),
});

export function readTrustedStage(): { stage: string; trustedStage: TrustedStage } {
  const { STAGE: stage, TRUSTED_STAGE: trustedStage } = readEnv(trustEnv);
  return { stage, trustedStage };
}
