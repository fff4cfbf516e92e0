/** Error names of throttled AWS calls (AWS SDKs Reference, "Retry behavior"). */
const throttling = /Throttl|ThroughputExceeded|RequestLimitExceeded|TooManyRequests|SlowDown|BandwidthLimit/;

/** Whether an error of an AWS SDK client says that AWS throttled the call. */
export function isThrottling({ name }: Error): boolean {
  return throttling.test(name);
}
