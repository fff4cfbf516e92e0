import { afterUse } from '@media-jobs/testing/after-use';
import { expect, it } from 'vitest';

const ended: string[] = [];
afterUse(() => ended.push('of the file'));

it('what a test uses is there while it runs', async () => {
  for (const name of ['first', 'second', 'third']) afterUse(() => ended.push(name));
  const end = afterUse(() => ended.push('early'));
  await end();
  await end();
  expect(ended).toEqual(['early']);
});

it('and ends after it, the last first', () => expect(ended).toEqual(['early', 'third', 'second', 'first']));
