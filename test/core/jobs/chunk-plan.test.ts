import { type ChunkedWork, type MediaLocation, readPlan, workHash, writePlan } from '@media-jobs/video/chunking';
import { aChunk, aChunkedWork, aProbe, aVideoEncoding, aVideoStream } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { chunkKeys, workKeys } from '../../../core/jobs/stored-file.ts';

const inputs = [{ name: 'input-1', bytes: 5, sha256: '0'.repeat(64) }];
const source = { key: 'uploads/owner-1/object', etag: '"aa"' };
const pinned = { input: 0, sizeBytes: 5, validator: { header: 'etag', value: '"aa"' } } as const;

describe('a chunk plan', () => {
  it('survives a round trip through its text', () => {
    const runs = [{ arguments: ['-i', 'input'], log: 'frame=1' }];
    const plan = { work: aChunkedWork(), sources: [source], inputs, runs };
    expect(readPlan(writePlan(plan))).toMatchObject(plan);
  });

  it('is rejected if it has another schema version', () => {
    const text = writePlan({ work: aChunkedWork(), sources: [source], inputs, runs: [] });
    const other = text.replace(/"schemaVersion":\d+/, '"schemaVersion":1');
    expect(() => readPlan(other)).toThrow('The chunk plan has schema version 1; this worker expects');
  });
});

describe('the hash of chunked work', () => {
  const hash = (differences: Partial<ChunkedWork> = {}, ...locations: (MediaLocation | undefined)[]) =>
    workHash(
      aChunkedWork(differences),
      locations.map((location) => ({ location })),
    );

  it('is the same for equal work', () => {
    expect(hash()).toBe(hash());
    expect(hash()).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each<[string, Partial<ChunkedWork>]>([
    ['another ffmpeg', { encodedBy: { service: '1.0.0', ffmpeg: 'ffmpeg version 8.0' } }],
    ['other chunks', { chunks: [aChunk] }],
    ['another source', { source: aProbe([aVideoStream()]) }],
    ['another quality', { encoding: aVideoEncoding({ quality: { crf: 30 } }) }],
  ])('differs for %s', (_, differences) => expect(hash(differences)).not.toBe(hash()));

  it.each<[string, MediaLocation, MediaLocation]>([
    ['an object', source, { ...source, etag: '"bb"' }],
    ['an input by URL', pinned, { ...pinned, validator: { header: 'etag', value: '"bb"' } }],
    [
      'an input whose version is its time',
      { ...pinned, validator: { header: 'last-modified', value: 'Sat, 01 Nov 2025 10:00:00 GMT' } },
      { ...pinned, validator: { header: 'last-modified', value: 'Sat, 01 Nov 2025 10:00:02 GMT' } },
    ],
  ])('differs for another version of %s', (_, location, replaced) => {
    expect(hash({}, location)).toBe(hash({}, { ...location }));
    expect(hash({}, replaced)).not.toBe(hash({}, location));
    expect(hash({}, undefined, replaced)).not.toBe(hash({}, undefined, location));
  });
});

it('work keys are below the job, and the keys of a chunk task beside its plan', () => {
  const { plan, source: copy } = workKeys('job-1', 'abc');
  expect([plan, copy(0)]).toEqual(['work/job-1/abc/plan.json', 'work/job-1/abc/source-0']);
  const { fileKey, runPrefix, ...texts } = chunkKeys(plan, 3);
  expect([0, 1].map((file) => fileKey('run', file))).toEqual(['work/job-1/abc/3-run-0', 'work/job-1/abc/3-run-1']);
  expect(runPrefix('run')).toBe('work/job-1/abc/3-run-');
  expect(texts).toEqual({ resultKey: 'work/job-1/abc/3.json', failureKey: 'work/job-1/abc/3.failure.json' });
});
