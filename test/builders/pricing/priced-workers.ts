import { type PricedWorkers, pricedWorkersSchema } from '../../../core/pricing/fargate-computer.ts';

/** The workers of a stage on arm64 with 3,008 MB. */
export function somePricedWorkers(overrides: Partial<PricedWorkers> = {}): PricedWorkers {
  const workers = pricedWorkersSchema.parse({
    architecture: 'arm64',
    memoryMb: 3008,
    retentionDays: 30,
    slowness: 1,
    timeoutSeconds: 900,
    chunking: {},
  });
  return { ...workers, ...overrides };
}
