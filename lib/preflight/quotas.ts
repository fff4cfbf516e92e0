/** What an account may do in a region, as far as AWS tells; undefined where it does not. */
export type Quotas = {
  /** Functions that may run at the same time, all together. */
  concurrentExecutions: number | undefined;
  /** API requests per second, over all APIs. */
  requestsPerSecond: number | undefined;
  /** API requests that may come at once. */
  requestBurst: number | undefined;
};
