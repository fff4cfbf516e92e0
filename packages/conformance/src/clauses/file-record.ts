import { type Clause, section } from '../clause.ts';
import { expect, expectEqual, expectField } from '../expectation.ts';
import { readSampleJob } from '../jobs/jobs.ts';
import { expectSignedUrl } from './expect-signed-url.ts';

function field<K extends Parameters<typeof expectField>[2]>(
  name: string,
  kind: K,
  { type = kind, check = () => {} }: { type?: string; check?: (value: unknown) => unknown } = {},
): Omit<Clause, 'section'> {
  return {
    id: `file.${name.replaceAll('_', '-')}`,
    sentence: `${name} | ${type}`,
    check: async (run) => {
      await check(expectField(await readSampleJob(run, 'completed'), `output_files.output.${name}`, kind));
    },
  };
}

const is = (expected: unknown, what: string) => (value: unknown) => expectEqual(value, expected, what);

/** The file is an mp4 of two seconds and 64x48 pixels, made by the recipe `compress`. */
export const fileRecord: Clause[] = section('File metadata record', [
  field('file_id', 'string'),
  field('filename', 'string'),
  field('size_mbytes', 'number', {
    check: (size) => expect(Number(size) > 0 && Number(size) < 1, `size_mbytes of a tiny video is ${size}`),
  }),
  field('duration', 'number', {
    check: (seconds) =>
      expect(Math.abs(Number(seconds) - 2) <= 0.5, `duration of a video of two seconds is ${seconds}`),
  }),
  field('file_type', 'string', {
    type: 'string (for example `video`)',
    check: is('video', 'file_type of a video'),
  }),
  field('file_format', 'string', {
    type: 'string (for example `mp4`)',
    check: is('mp4', 'file_format of an mp4'),
  }),
  field('mime_type', 'string', {
    type: 'string (for example `video/mp4`)',
    check: is('video/mp4', 'mime_type of an mp4'),
  }),
  field('codec', 'string', {
    type: 'string (for example `h264`)',
    check: is('h264', 'codec of what `compress` made'),
  }),
  field('width', 'integer', { check: is(64, 'width of a video 64 pixels wide') }),
  field('height', 'integer', { check: is(48, 'height of a video 48 pixels high') }),
  field('storage_url', 'string', {
    type: 'string (signed URL)',
    check: (url) => expectSignedUrl(url, 'storage_url'),
  }),
]);
