import { afterUse } from '@media-jobs/testing/after-use';
import { describe, expect, it } from 'vitest';

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

describe.concurrent('what concurrent tests use', () => {
  const shared: string[] = [];
  const second = Promise.withResolvers<void>();

  it('is there after the first of them', async () => {
    afterUse(() => shared.push('first'));
    second.resolve();
  });

  it('until the last', async () => {
    await second.promise;
    // The first test ends in these turns of the event loop.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(shared).toEqual([]);
  });
});
