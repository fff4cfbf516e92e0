/** The bounds of `MaximumConcurrency` of an event source mapping (AWS Lambda API Reference, "ScalingConfig"). */
export const minMappedConcurrency = 2;
export const maxMappedConcurrency = 1_000;

/** Invocations of one provisioned poller at the same time (AWS Lambda Developer Guide, "Provisioned mode" of SQS). */
const invocationsPerPoller = 10;

/**
 * 2,000 provisioned pollers, the most that the CDK accepts. Lambda accepts 10,000 of a queue (AWS Lambda API Reference,
 * "ProvisionedPollerConfig").
 */
export const maxWorkers = 2_000 * invocationsPerPoller;

/**
 * What bounds the invocations of a queue's mapping: its maximum concurrency, or above that its provisioned pollers, which
 * then invoke no more than `maxConcurrency` either. AWS accepts only one of them. CloudFormation does not remove the pollers:
 * see "Run more jobs at the same time" in docs/operating.md.
 */
export function mappingScale(
  maxConcurrency: number,
): { maxConcurrency: number } | { provisionedPollerConfig: { minimumPollers: number; maximumPollers: number } } {
  if (maxConcurrency <= maxMappedConcurrency) return { maxConcurrency };
  const maximumPollers = Math.floor(maxConcurrency / invocationsPerPoller);
  // The smallest number that AWS accepts: pollers are added within seconds of a burst.
  return { provisionedPollerConfig: { minimumPollers: 2, maximumPollers } };
}
