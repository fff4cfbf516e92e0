import { expect, it } from 'vitest';
import { jobText } from '../../../cli/show/job-text.ts';
import { completedJobExample } from '../../../core/api/job-examples.ts';

it('tells what a recipe has measured, each figure with its name', () => {
  const text = jobText({ ...completedJobExample, measurements: { crf: 27, vmaf: 93.4567 } });
  expect(text).toMatch(/Measured +crf=27\nMeasured +vmaf=93\.46\n/);
});

it('tells nothing of the signatures of a job, its own or those of the URLs that it names', () => {
  const signed = (name: string) => `https://s3.example/${name}?X-Amz-Signature=5d1f`;
  const recipe = { name: 'watermark', image: signed('logo.png') };
  const request = { ...completedJobExample.request, input: { url: signed('film.mov') }, recipe };
  const text = jobText({ ...completedJobExample, request });
  expect(text).toContain('https://s3.example/film.mov?…');
  expect(text).toContain('https://s3.example/logo.png?…');
  expect(text).not.toContain('X-Amz');
});

it('tells in how many chunks a video is encoded, and why', () => {
  const reason = 'Encoded in 9 chunks of 60.0 to 64.0 s side by side: the job asks for speed';
  expect(jobText({ ...completedJobExample, chunking: { chunks: 9, reason } })).toContain(reason);
});
