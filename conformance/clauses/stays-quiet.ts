import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '../expectation.ts';
import type { Inbox } from '../receiver.ts';
import type { Run } from '../run.ts';

/** Listens for a while, and expects that nothing more comes to an address that `why`. */
export async function staysQuiet({ patience }: Run, { posts }: Inbox, why: string): Promise<void> {
  const before = posts.length;
  await sleep(patience.quietMs);
  const more = posts.length - before;
  expect(more === 0, `an address that ${why} was sent ${more} webhook${more === 1 ? '' : 's'} more`);
}
