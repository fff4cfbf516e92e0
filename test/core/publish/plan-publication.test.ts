import { expect, it } from 'vitest';
import { planPublication } from '../../../core/publish/plan-publication.ts';
import type { DescribedOutput } from '../../../core/worker/outputs.ts';

function anOutput(filename: string): DescribedOutput & { path: string } {
  const file = { key: `jobs/job-1/1/${filename}`, filename, mime_type: '' } as DescribedOutput['file'];
  return { name: filename, path: `/disk/${filename}`, sizeBytes: 1, file };
}

const stream = ['stream_0.mp4', 'subtitles_0.vtt', 'subtitles_0.m3u8', 'hls.m3u8', 'dash.mpd'];

it.each([
  ['{jobId}/{name}.{extension}', ['stream_0.mp4', 'subtitles_0.vtt', 'subtitles_0.m3u8', 'hls.m3u8', 'dash.mpd']],
  ['{jobId}/{name}', ['stream_0', 'subtitles_0.vtt', 'subtitles_0.m3u8', 'hls', 'dash']],
  [
    '{jobId}/holiday.{extension}',
    [
      'holiday-stream_0.mp4',
      'holiday-subtitles_0.vtt',
      'holiday-subtitles_0.m3u8',
      'holiday-hls.m3u8',
      'holiday-dash.mpd',
    ],
  ],
])('with the template %s each file of a stream has a key of its own, and its own bytes', (keyTemplate, keys) => {
  const { publication, pathOf } = planPublication(stream.map(anOutput), {
    destination: { storageProviderId: 'sp_1', keyTemplate },
    prefix: undefined,
    job: { jobId: 'job-1', createdAt: '2026-03-01T00:00:00.000Z' },
    mark: 'mark',
    result: { inputSizeBytes: 1 },
  });
  const { uploads, result } = publication;
  expect(uploads.map(({ key }) => key).toSorted()).toEqual(keys.map((key) => `job-1/${key}`).toSorted());
  for (const [name, { storage }] of Object.entries(result.files)) {
    expect(pathOf.get(storage?.key ?? '')).toBe(`/disk/${name}`);
  }
});
