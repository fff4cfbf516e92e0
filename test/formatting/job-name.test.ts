import { describe, expect, it } from 'vitest';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { jobName } from '../../formatting/job-name.ts';

describe('a job of several inputs', () => {
  const inputs = ['one.mp4', 'two.mp4', 'three.mp4'].map((name) => ({
    url: `https://media.example/${name}`,
  }));

  it('has them in their order, and the name of the first', () => {
    const request = { inputs };
    expect(inputUrls(request)).toEqual(inputs.map(({ url }) => url));
    expect(jobName({ request })).toBe('one.mp4 and 2 more');
  });
});
