import { expect, it } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import { findPlayable } from '../../../core/playback/playback-urls.ts';
import { aCompletedJob, aFailedJob } from '../../builders/jobs/ended-jobs.ts';

const now = new Date('2026-03-02T00:00:00.000Z');

const types: Record<string, StoredFile['file_type']> = { mp4: 'video', webm: 'video', jpg: 'image', vtt: 'subtitle' };

function file(path: string, more: Partial<StoredFile> = {}): StoredFile {
  const format = path.split('.').at(-1) ?? '';
  const file_type = types[format] ?? 'playlist';
  const measured = file_type === 'video' ? { duration: 60, height: 720 } : {};
  const key = `jobs/job-1/1/${path}`;
  return {
    ...{ file_id: path, filename: path, size_mbytes: 1, file_type, file_format: format, mime_type: 'video/mp4', key },
    ...measured,
    ...more,
  };
}

const stream = (folder: string) => ['hls.m3u8', 'dash.mpd', 'stream_0.mp4'].map((name) => file(`${folder}/${name}`));
const sprite = ['sprite-001.jpg', 'sprite.vtt'].map((name) => file(`sprite/${name}`));

function aJobOf(files: StoredFile[], request: Partial<JobRequestRecord> = {}) {
  const job = aCompletedJob({ files: Object.fromEntries(files.map((each) => [each.file_id, each])) });
  return { ...job, request: { ...job.request, recipe: { name: 'hls' }, ...request } };
}

const outputsOf = (recipes: Record<string, string | object>): Partial<JobRequestRecord> => ({
  mode: 'outputs',
  recipe: undefined,
  outputs: Object.fromEntries(
    Object.entries(recipes).map(([name, recipe]) => [
      name,
      { recipe: typeof recipe === 'string' ? { name: recipe } : { name: 'hls', ...recipe }, format: 'any' },
    ]),
  ),
});

function played(job: ReturnType<typeof aJobOf>, wanted?: string, at = now) {
  const { playable } = findPlayable(job, wanted, at);
  return Object.fromEntries(Object.entries(playable).map(([part, { file_id }]) => [part, file_id]));
}

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof AppError ? (error.details ?? error.code) : error;
  }
}

const everything = aJobOf(
  [
    ...sprite,
    file('small/output.mp4', { height: 240 }),
    file('teaser/output.mp4', { duration: 5 }),
    file('poster/output.jpg'),
    ...stream('second'),
    ...stream('first'),
  ],
  outputsOf({
    teaser: 'clip',
    first: 'hls',
    second: 'hls',
    small: 'compress',
    poster: 'thumbnail',
    sprite: 'sprite',
    skipped: 'gif',
  }),
);
const shared = { poster: 'poster/output.jpg', sprite: 'sprite/sprite.vtt' };

it.each([
  [
    'a stream of a job of one recipe',
    aJobOf(stream('output')),
    undefined,
    { hls: 'output/hls.m3u8', dash: 'output/dash.mpd' },
  ],
  ['an MP4 of a job of one recipe', aJobOf([file('output/output.mp4')]), 'output', { mp4: 'output/output.mp4' }],
  [
    'the largest of several MP4s',
    aJobOf([file('output/360p.mp4', { height: 360 }), file('output/720p.mp4')]),
    undefined,
    { mp4: 'output/720p.mp4' },
  ],
  [
    'the stream of a step',
    aJobOf([file('poster/output.jpg'), ...stream('output')], {
      recipe: undefined,
      steps: [{ name: 'poster', recipe: { name: 'thumbnail' } }, { recipe: { name: 'hls' } }],
    }),
    undefined,
    { hls: 'output/hls.m3u8', dash: 'output/dash.mpd', poster: 'poster/output.jpg' },
  ],
  [
    'the first stream of the request, with an MP4 of its length',
    everything,
    undefined,
    { hls: 'first/hls.m3u8', dash: 'first/dash.mpd', mp4: 'small/output.mp4', ...shared },
  ],
  [
    'the wanted stream',
    everything,
    'second',
    { hls: 'second/hls.m3u8', dash: 'second/dash.mpd', mp4: 'small/output.mp4', ...shared },
  ],
  ['the wanted MP4', everything, 'teaser', { mp4: 'teaser/output.mp4', ...shared }],
  [
    'an encrypted stream, without an MP4 beside it',
    aJobOf(
      [...stream('first').slice(0, 1), file('small/output.mp4', { duration: 0 })],
      outputsOf({ first: { encryption: {} }, small: 'compress' }),
    ),
    undefined,
    { hls: 'first/hls.m3u8' },
  ],
  [
    'what is left',
    aJobOf(
      [...stream('first').map((each) => ({ ...each, endsAt: '2026-03-01T12:00:00.000Z' })), file('small/output.mp4')],
      outputsOf({ first: 'hls', small: 'compress' }),
    ),
    undefined,
    { mp4: 'small/output.mp4' },
  ],
])('what is played is %s', (_, job, wanted, expected) => {
  expect(played(job, wanted)).toEqual(expected);
});

it.each([
  ['of another state', () => findPlayable(aFailedJob(), 'unknown', now), 'JOB_NOT_COMPLETED'],
  ['of a WebM', () => played(aJobOf([file('output/output.webm')])), 'JOB_NOT_PLAYABLE'],
  ['of a poster', () => played(everything, 'poster'), 'JOB_NOT_PLAYABLE'],
  ['of a skipped output', () => played(everything, 'skipped'), 'JOB_NOT_PLAYABLE'],
  ['of expired files', () => played(everything, 'first', new Date('2027-01-01')), 'JOB_FILES_EXPIRED'],
  [
    'of an unknown output',
    () => played(everything, 'third'),
    [{ path: 'output', message: expect.stringContaining('teaser, first, second') }],
  ],
  ['of the name of a property', () => played(everything, 'constructor'), [expect.objectContaining({ path: 'output' })]],
])('nothing is played %s', (_, act, expected) => {
  expect(errorOf(act)).toEqual(expected);
});
