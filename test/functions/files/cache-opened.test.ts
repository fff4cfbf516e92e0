import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { expect, it } from 'vitest';
import type { FileStorage } from '../../../core/jobs/ports.ts';
import { cacheOpened } from '../../../functions/files/open-file.ts';
import { start } from '../../builders/jobs/jobs.ts';

const ref = { ownerId: 'owner-1', storageProviderId: 'sp_1' };

/** A storage whose files have this text. */
const aStorage = (text: string): FileStorage => ({ readText: async () => text, sign: async () => text });

it('a storage provider is opened once a minute for each owner', async () => {
  const clock = aVirtualClock(start);
  const opened: string[] = [];
  const open = cacheOpened(clock, async ({ ownerId }) => aStorage(String(opened.push(ownerId))));
  const read = async (ownerId: string) => (await open({ ...ref, ownerId })).readText('key');
  const reads = ['owner-1', 'owner-1', 'owner-2'].map(read);
  expect(await Promise.all(reads)).toEqual(['1', '1', '2']);
  clock.pass(59_999);
  expect(await read('owner-1')).toBe('1');
  clock.pass(1);
  expect(await read('owner-1')).toBe('3');
  expect(opened).toEqual(['owner-1', 'owner-2', 'owner-1']);
});

it('a storage provider that could not be opened is opened again', async () => {
  let calls = 0;
  const opened = aStorage('text');
  const open = cacheOpened(aVirtualClock(start), async () => {
    calls += 1;
    if (calls === 1) throw new Error('no answer');
    return opened;
  });
  await expect(open(ref)).rejects.toThrow('no answer');
  expect(await open(ref)).toBe(opened);
});
