import { inputUrls } from '@media-jobs/core/api';
import { describe, expect, it } from 'vitest';
import { inputName, jobName } from '../../src/formatting/job-name.ts';

describe('a job of several inputs', () => {
  const inputs = ['one.mp4', 'two.mp4', 'three.mp4'].map((name) => ({ url: `https://media.example/${name}` }));

  it('has the name of its first input and the number of others', () => {
    const request = { inputs };
    expect(inputUrls(request)).toEqual(inputs.map(({ url }) => url));
    expect(jobName({ request })).toBe('one.mp4 and 2 more');
  });
});

it.each([
  ['https://media.example/films/a%20film.mp4?token=secret', 'a film.mp4'],
  ['upload://0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6/holiday.mov', 'holiday.mov'],
  ['https://media.example/', 'media.example'],
  ['https://media.example/%E0%A4%A', '%E0%A4%A'],
  ['not a url', 'not a url'],
])('the input %s is displayed as %s', (url, name) => expect(inputName(url)).toBe(name));
