import { describe, expect, it } from 'vitest';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import { resultFiles, viewJob } from '../../../core/jobs/view.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';

const jobId = '01980000-0000-7000-8000-000000000001';
const now = new Date('2026-03-01T12:05:00.000Z');

const links = {
  publicUrl: 'https://media.example',
  fileUrlSeconds: 3_600,
  setUrlSeconds: 86_400,
  signDownload: async ({ key }: { key: string }) => ({
    url: `https://bucket.example/${key}?X-Amz-Expires=60&X-Amz-Signature=5d`,
    expiresAt: now,
  }),
};

function aFile(name: string, file_format: string): StoredFile {
  const file_type = file_format === 'mp4' ? 'video' : 'playlist';
  const key = `jobs/${jobId}/2/${name}.${file_format}`;
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

const filesOf = (files: Record<string, StoredFile>) =>
  resultFiles(aCompletedJob({ jobId, files }), links, now);

describe('the files of a job', () => {
  it('that reference others open at the API, and under storage_url in the bucket', async () => {
    const files = { hls: aFile('hls', 'm3u8'), dash: aFile('dash', 'mpd'), '720p': aFile('stream_0', 'mp4') };
    const { outputs, output_files } = await filesOf(files);
    const query = '?X-Amz-Expires=60&X-Amz-Signature=5d';
    const expires = now.getTime() / 1_000 + links.setUrlSeconds;
    const ofSet = (file: string) =>
      expect.stringMatching(
        `^https://media.example/api/v1/jobs/${jobId}/files/${file}\\?owner=owner-1&expires=${expires}&set=hls&signature=[\\w-]{43}$`,
      );
    expect(outputs).toEqual({
      hls: ofSet('hls.m3u8'),
      dash: ofSet('dash.mpd'),
      '720p': `https://bucket.example/jobs/${jobId}/2/stream_0.mp4${query}`,
    });
    expect(output_files?.hls?.storage_url).toBe(`https://bucket.example/jobs/${jobId}/2/hls.m3u8${query}`);
  });

  it('at a storage provider open at the API, alone and for an hour', async () => {
    const storage = { storageProviderId: 'sp_1', key: 'videos/a.mp4' };
    const { output } = await filesOf({ output: { ...aFile('output', 'mp4'), storage } });
    const expires = now.getTime() / 1_000 + links.fileUrlSeconds;
    expect(output?.signedUrl).toMatch(
      `https://media.example/api/v1/jobs/${jobId}/files/output.mp4?owner=owner-1&expires=${expires}&signature=`,
    );
    expect(output?.expiresAt).toBe(new Date(expires * 1_000).toISOString());
  });

  it('open in the bucket if there is only one', async () => {
    const { output } = await filesOf({ output: aFile('output', 'vtt') });
    expect(output?.signedUrl).toContain(`https://bucket.example/jobs/${jobId}/2/output.vtt`);
  });
});

it('a job shows its secret in no view', async () => {
  const job = aCompletedJob({ jobId, files: { hls: aFile('hls', 'm3u8'), dash: aFile('dash', 'mpd') } });
  const text = JSON.stringify(viewJob(job, await resultFiles(job, links, now)));
  expect(text).toContain('signature=');
  expect(text).not.toContain(job.urlSecret);
});
