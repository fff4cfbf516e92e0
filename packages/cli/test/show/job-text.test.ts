import { completedJobExample } from '@media-jobs/core/api';
import { expect, it } from 'vitest';
import { formatJob } from '../../src/show/job-text.ts';

it('a job shows each measurement with its name', () => {
  const text = formatJob({ ...completedJobExample, measurements: { crf: 27, vmaf: 93.4567 } });
  expect(text).toMatch(/Measured +crf=27\nMeasured +vmaf=93\.46\n/);
});

it('a job shows neither its signed URLs nor the signatures of input URLs', () => {
  const signed = (name: string) => `https://s3.example/${name}?X-Amz-Signature=5d1f`;
  const recipe = { name: 'watermark', image: signed('logo.png') };
  const request = { ...completedJobExample.request, input: { url: signed('video.mov') }, recipe };
  const text = formatJob({ ...completedJobExample, request });
  expect(text).toContain('https://s3.example/video.mov?…');
  expect(text).toContain('https://s3.example/logo.png?…');
  expect(text).not.toContain('X-Amz');
});

it('a job shows its number of chunks and the reason', () => {
  const reason = 'Encoded in 9 chunks of 60.0 to 64.0 s in parallel: the job requests speed fast';
  expect(formatJob({ ...completedJobExample, chunking: { chunks: 9, reason } })).toContain(reason);
});

it('a job shows each warning, with its output if it is about one', () => {
  const text = formatJob({
    ...completedJobExample,
    warnings: [
      { code: 'INPUT_DAMAGED', message: '12 of 1000 video frames are missing.' },
      { code: 'OUTPUT_FAILED', message: 'No audio.', output: 'podcast' },
    ],
  });
  expect(text).toMatch(/Warning +INPUT_DAMAGED: 12 of 1000 video frames are missing\.\n/);
  expect(text).toMatch(/Warning +podcast: OUTPUT_FAILED: No audio\.\n/);
});

it('a stream is shown by its renditions, without playlists and the second name of its set', () => {
  const { output: file } = completedJobExample.output_files ?? {};
  if (file === undefined) throw new TypeError('Expected a file');
  const playlist = { ...file, file_format: 'm3u8' };
  const output_files = {
    ...{ 'stream/hls': playlist, 'stream/720p': file, 'stream/720p-playlist': playlist, stream: playlist },
    'my-playlist': file,
  };
  const text = formatJob({ ...completedJobExample, output_files });
  expect(text.match(/^File +\S+/gm)?.map((line) => line.split(/ +/)[1])).toEqual([
    ...['stream/hls:', 'stream/720p:', 'my-playlist:'],
  ]);
});

it('a queued job shows its position and its estimated start', () => {
  const queued = { ...completedJobExample, position: 12, estimatedStartAt: '2026-03-01T12:04:00.000Z' };
  expect(formatJob(queued)).toMatch(/Position +12 in the queue\nStarts about +2026-03-01T12:04:00\.000Z\n/);
});
