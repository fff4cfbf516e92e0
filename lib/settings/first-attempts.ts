import { maxMappedConcurrency, minMappedConcurrency } from './mapping-scale.ts';

/** First attempts of webhooks at the same time. Receivers that hang take a tenth of the account's executions at most. */
export function maxFirstAttempts({ accountConcurrency }: { accountConcurrency: number }): number {
  return Math.min(maxMappedConcurrency, Math.max(minMappedConcurrency, Math.floor(accountConcurrency / 10)));
}
