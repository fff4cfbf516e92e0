import { expect, it } from 'vitest';
import { keepOpen } from '../../../functions/runtime/keep-open.ts';
import { start } from '../../builders/jobs/jobs.ts';
import { aVirtualClock } from '../../builders/system/virtual-clock.ts';

const ref = { ownerId: 'owner-1', storageProviderId: 'sp_1' };

it('a storage provider is opened once a minute for each owner', async () => {
  const clock = aVirtualClock(start);
  const opened: string[] = [];
  const open = keepOpen(clock, async ({ ownerId }) => opened.push(ownerId));
  expect(await Promise.all([open(ref), open(ref), open({ ...ref, ownerId: 'owner-2' })])).toEqual([1, 1, 2]);
  clock.pass(59_999);
  expect(await open(ref)).toBe(1);
  clock.pass(1);
  expect(await open(ref)).toBe(3);
  expect(opened).toEqual(['owner-1', 'owner-2', 'owner-1']);
});

it('a storage provider that could not be opened is opened again', async () => {
  let calls = 0;
  const open = keepOpen(aVirtualClock(start), async () => {
    calls += 1;
    if (calls === 1) throw new Error('no answer');
    return 'opened';
  });
  await expect(open(ref)).rejects.toThrow('no answer');
  expect(await open(ref)).toBe('opened');
});
