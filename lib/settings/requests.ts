/** The default quotas of an account (Amazon API Gateway, "Account-level throttling"). */
const maxRate = 10_000;
const maxBurst = 5_000;

/** Concurrent requests in a burst, for a rate of requests per second. */
export function burstOf(requestsPerSecond: number): number {
  return Math.min(maxBurst, 2 * requestsPerSecond);
}

/** The rate of unknown paths, and of each route that needs no credential. */
export function publicRateOf(requestsPerSecond: number): number {
  return Math.min(maxRate, 2 * requestsPerSecond);
}
