import { describe, expect, it } from 'vitest';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import { resultFiles } from '../../../core/jobs/view.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';

const jobId = '01980000-0000-7000-8000-000000000001';
const now = new Date('2026-03-01T12:05:00.000Z');

const links = {
  publicUrl: 'https://media.example',
  signPointer: async ({ key }: { key: string }) => ({
    url: `https://bucket.example/${key}?signature=1`,
    expiresAt: new Date(0),
  }),
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
    expect(outputs).toEqual({
      hls: `https://media.example/api/v1/jobs/${jobId}/files/2/hls.m3u8${query}`,
      dash: `https://media.example/api/v1/jobs/${jobId}/files/2/dash.mpd${query}`,
      '720p': `https://bucket.example/jobs/${jobId}/2/stream_0.mp4${query}`,
    });
    expect(output_files?.hls?.storage_url).toBe(`https://bucket.example/jobs/${jobId}/2/hls.m3u8${query}`);
  });

  it('open in the bucket if there is only one', async () => {
    const { output } = await filesOf({ output: aFile('output', 'vtt') });
    expect(output?.signedUrl).toContain(`https://bucket.example/jobs/${jobId}/2/output.vtt`);
  });
});
