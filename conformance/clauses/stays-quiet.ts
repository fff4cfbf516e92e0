import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '../expectation.ts';
import type { Inbox } from '../receiver.ts';
import type { Run } from '../run.ts';

/** Listens for a while, and expects that nothing more comes to an address that `why`. */
export async function staysQuiet({ patience }: Run, { posts }: Inbox, why: string): Promise<void> {
  const before = posts.length;
  const deadline = performance.now() + patience.quietMs;
  while (performance.now() < deadline) {
    await sleep(20);
    expect(posts.length === before, `an address that ${why} was sent one webhook more`);
  }
}
