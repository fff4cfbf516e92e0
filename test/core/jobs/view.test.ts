import { describe, expect, it } from 'vitest';
import type { JobIn } from '../../../core/jobs/record.ts';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import { resultFiles, viewJob } from '../../../core/jobs/view.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';

const jobId = '01980000-0000-7000-8000-000000000001';
const now = new Date('2026-03-01T12:05:00.000Z');

const links = { publicUrl: 'https://media.example', fileUrlSeconds: 3_600, setUrlSeconds: 86_400 };

function aFile(name: string, file_format: string): StoredFile {
  const file_type = file_format === 'mp4' ? 'video' : 'playlist';
  const key = `jobs/${jobId}/1/output/${name}.${file_format}`;
  return {
    file_id: name,
    filename: `film-${name}`,
    size_mbytes: 1,
    file_type,
    file_format,
    mime_type: '',
    key,
  };
}

const filesOf = (files: Record<string, StoredFile>, fields: Partial<JobIn<'completed'>> = {}) =>
  resultFiles(aCompletedJob({ jobId, files, ...fields }), links, now);

const endOf = (url = '') => Number.parseInt(new URL(url).searchParams.get('e') ?? '', 36) * 1_000;

describe('the files of a job', () => {
  it('open at the API: a playlist and all that it names for a day, another file for an hour', () => {
    const files = { hls: aFile('hls', 'm3u8'), dash: aFile('dash', 'mpd'), '720p': aFile('stream_0', 'mp4') };
    const { outputs = {}, output_files = {} } = filesOf(files);
    const url = (file: string) =>
      expect.stringMatching(
        `^https://media.example/api/v1/jobs/${jobId}/files/output/${file}\\?o=owner-1&e=[0-9a-z]{6}&s=[\\w-]{22}$`,
      );
    expect(outputs).toEqual({ hls: url('hls.m3u8'), dash: url('dash.mpd'), '720p': url('stream_0.mp4') });
    expect(Object.entries(output_files).map(([name, { storage_url }]) => [name, storage_url])).toEqual(
      Object.entries(outputs),
    );
    const hours = Object.values(outputs).map((each) => (endOf(each) - now.getTime()) / 3_600_000);
    expect(hours).toEqual([24, 24, 1]);
  });

  it('are left out once their own time is over', () => {
    const [a, b] = [aFile('a', 'mp4'), aFile('b', 'mp4')];
    const files = { a: { ...a, endsAt: now.toISOString() }, b: { ...b, endsAt: null }, c: aFile('c', 'mp4') };
    const { outputs, output_files = {} } = filesOf(files, { filesExpireAt: '2026-03-01T12:05:00.001Z' });
    expect([Object.keys(outputs ?? {}), Object.keys(output_files)]).toEqual([
      ['b', 'c'],
      ['b', 'c'],
    ]);
    expect(Object.keys(output_files.b ?? {})).not.toContain('endsAt');
  });

  it('say when their URL ends', () => {
    const { output } = filesOf({ output: aFile('output', 'mp4') });
    expect(output?.expiresAt).toBe(new Date(now.getTime() + 3_600_000).toISOString());
    expect(Date.parse(output?.expiresAt ?? '')).toBe(endOf(output?.signedUrl));
  });

  it('have URLs that end no later than they do', () => {
    const filesExpireAt = '2026-03-01T12:30:00.500Z';
    const { output } = filesOf({ output: aFile('output', 'mp4') }, { filesExpireAt });
    expect(output?.expiresAt).toBe('2026-03-01T12:30:00.000Z');
  });

  it('have URLs of at most 250 characters, with the longest names and an origin of 60', () => {
    const publicUrl = `https://${'a'.repeat(52)}`;
    const ownerId = 'o'.repeat(22);
    const job = aCompletedJob({ jobId, ownerId });
    const key = `jobs/${jobId}/1/${'n'.repeat(40)}/${'f'.repeat(30)}`;
    const files = { n: { ...aFile('output', 'mp4'), key } };
    const [url = ''] = Object.values(resultFiles({ ...job, files }, { ...links, publicUrl }, now).outputs ?? {});
    expect([publicUrl.length, url.length <= 250]).toEqual([60, true]);
  });
});

it('a job shows its secret in no view', () => {
  const job = aCompletedJob({ jobId, files: { hls: aFile('hls', 'm3u8'), dash: aFile('dash', 'mpd') } });
  const text = JSON.stringify(viewJob(job, resultFiles(job, links, now)));
  expect(text).toContain('&s=');
  expect(text).not.toContain(job.urlSecret);
});
