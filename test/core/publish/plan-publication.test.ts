import { expect, it } from 'vitest';
import { planPublication } from '../../../core/publish/store-result.ts';
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
  const { publication, sources } = planPublication(stream.map(anOutput), {
    destination: { storageProviderId: 'sp_1', keyTemplate },
    prefixes: new Map(),
    job: { jobId: 'job-1', createdAt: '2026-03-01T00:00:00.000Z' },
    mark: 'mark',
    result: { inputSizeBytes: 1 },
  });
  const { uploads, result } = publication;
  expect(uploads.map(({ key }) => key).toSorted()).toEqual(keys.map((key) => `job-1/${key}`).toSorted());
  for (const [name, { storage }] of Object.entries(result.files)) {
    const index = uploads.findIndex(({ key }) => key === storage?.key);
    expect(sources[index]?.path).toBe(`/disk/${name}`);
  }
});

it('each output goes to its own provider under its own template, also under the same key', () => {
  const outputs = ['poster', 'small'].map((name) => {
    const file = { key: `jobs/job-1/1/${name}/output.mp4`, filename: 'output.mp4', mime_type: '' };
    return { name, path: `/disk/${name}`, sizeBytes: 1, file: file as DescribedOutput['file'] };
  });
  const places = {
    poster: { storageProviderId: 'sp_1', keyTemplate: 'film' },
    small: { storageProviderId: 'sp_2', keyTemplate: 'film', headers: { cacheControl: 'no-store' } },
  };
  const { publication, sources } = planPublication(outputs, {
    destination: { ...places.poster, ofOutputs: places },
    prefixes: new Map([['sp_2', 'media']]),
    job: { jobId: 'job-1', createdAt: '2026-03-01T00:00:00.000Z' },
    mark: 'mark',
    result: { inputSizeBytes: 1 },
  });
  expect(publication.uploads).toMatchObject([{ key: 'film' }, { storageProviderId: 'sp_2', key: 'media/film' }]);
  expect(publication.uploads[0]).not.toHaveProperty('storageProviderId');
  expect(sources).toEqual([
    { path: '/disk/poster', place: places.poster },
    { path: '/disk/small', place: places.small },
  ]);
  expect(publication.result.files).toMatchObject({
    poster: { storage: { storageProviderId: 'sp_1', key: 'film' } },
    small: { storage: { storageProviderId: 'sp_2', key: 'media/film', prefix: 'media' } },
  });
});
