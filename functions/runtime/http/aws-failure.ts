/** Names under which AWS services say that they are asked too much (AWS SDKs Reference, "Retry behavior"). */
const throttling = /Throttl|ThroughputExceeded|RequestLimitExceeded|TooManyRequests|SlowDown|BandwidthLimit/;

/**
 * Whether an AWS service failed, was too busy or could not be reached, so that the same request may succeed later. A
 * call that AWS refused for what it was is a fault of ours instead, and will be refused again.
 */
export function isAwsOutage(error: unknown): boolean {
  // Every error of an SDK's client carries this, those of its connection included.
  if (!(error instanceof Error && '$metadata' in error)) return false;
  const fault = '$fault' in error ? error.$fault : undefined;
  return fault !== 'client' || throttling.test(error.name);
}
