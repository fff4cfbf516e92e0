import { describe, expect, it } from 'vitest';
import { type PartsWork, partsOf, readPlan, workHash, writePlan } from '../../../core/chunks/parts-plan.ts';
import { partKeys, workKeys } from '../../../core/chunks/work-keys.ts';
import { aChunk, aWork } from '../../builders/a-parts-work.ts';
import { aProbe, aVideoStream } from '../../builders/a-probe.ts';
import { aVideoEncoding } from '../../builders/a-video-encoding.ts';

const source = { key: 'uploads/owner-1/object', etag: '"aa"' };

describe('the plan of a work in parts', () => {
  it('is read as it was written', () => {
    const plan = { work: aWork(), source, runs: [{ arguments: ['-i', 'input'], log: 'frame=1' }] };
    expect(readPlan(writePlan(plan))).toMatchObject(plan);
  });

  it('of another layout is refused, since the service was updated meanwhile', () => {
    const text = writePlan({ work: aWork(), source, runs: [] }).replace('"layout":2', '"layout":1');
    expect(() => readPlan(text)).toThrow('The plan has layout 1, and this worker knows 2');
  });

  it('has one part for each chunk, and one for the sound', () => {
    expect(partsOf(aWork()).map(({ kind }) => kind)).toEqual(['chunk', 'chunk', 'sound']);
    expect(partsOf(aWork({ source: aProbe([aVideoStream()]) })).map(({ kind }) => kind)).toEqual([
      'chunk',
      'chunk',
    ]);
  });
});

describe('the name of a work', () => {
  it('is that of the same work, whoever does it', () => {
    expect(workHash(aWork())).toBe(workHash(aWork()));
    expect(workHash(aWork())).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each<[string, Partial<PartsWork>]>([
    ['another ffmpeg', { madeBy: { service: '1.0.0', ffmpeg: 'ffmpeg version 8.0' } }],
    ['other chunks', { chunks: [aChunk] }],
    ['another source', { source: aProbe([aVideoStream()]) }],
    ['another quality', { encoding: aVideoEncoding({ quality: { crf: 30 } }) }],
  ])('is another one with %s', (_, differences) => {
    expect(workHash(aWork(differences))).not.toBe(workHash(aWork()));
  });
});

it('lays what belongs together below the job, each part beside its plan', () => {
  const { plan, source: copy } = workKeys('job-1', 'abc');
  expect([plan, copy]).toEqual(['work/job-1/abc/plan.json', 'work/job-1/abc/source']);
  const { fileOf, ...texts } = partKeys(plan, 3);
  expect([0, 1].map(fileOf)).toEqual(['work/job-1/abc/3-0', 'work/job-1/abc/3-1']);
  expect(texts).toEqual({
    result: 'work/job-1/abc/3.json',
    failure: 'work/job-1/abc/3.failure.json',
  });
});
