/** The bounds of `MaximumConcurrency` of an event source mapping (AWS Lambda API Reference, "ScalingConfig"). */
const minMapped = 2;
const maxMapped = 1_000;

/** First attempts of webhooks at the same time. Receivers that hang take a tenth of the account's executions at most. */
export function maxFirstAttempts({ accountConcurrency }: { accountConcurrency: number }): number {
  return Math.min(maxMapped, Math.max(minMapped, Math.floor(accountConcurrency / 10)));
}
