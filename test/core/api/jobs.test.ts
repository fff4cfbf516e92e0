import { describe, expect, it } from 'vitest';
import { listJobsContract } from '../../../core/api/jobs.ts';

const read = (limit?: string) => listJobsContract.query.safeParse({ limit });

describe('the limit of the job list', () => {
  it.each([
    [undefined, 20],
    ['1', 1],
    ['100', 100],
  ])('is parsed: %s is %i', (text, limit) => expect(read(text).data).toMatchObject({ limit }));

  it.each(['0', '-1', '101', '1000000000', '1e2', '2.5', 'abc', ''])('is an error with its range: %j', (text) => {
    const messages = read(text).error?.issues.map(({ message }) => message);
    expect(messages).toEqual(['Must be a whole number from 1 to 100']);
  });
});
