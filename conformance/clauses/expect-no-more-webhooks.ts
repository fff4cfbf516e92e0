import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '../expectation.ts';
import type { Inbox } from '../receiver.ts';
import type { SuiteRun } from '../run.ts';

/** Listens for a while, and expects that so many webhooks and no more come to an address that `why`. */
export async function expectNoMoreWebhooks(
  { timeouts }: SuiteRun,
  { posts }: Inbox,
  { count, why }: { count: number; why: string },
): Promise<void> {
  const deadline = performance.now() + timeouts.silenceMs;
  do {
    expect(posts.length <= count, `an address that ${why} was sent ${posts.length} webhooks, not ${count}`);
    await sleep(20);
  } while (performance.now() < deadline);
}
