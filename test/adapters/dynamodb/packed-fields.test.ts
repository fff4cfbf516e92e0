import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jobDictionary, jobFromItem, jobItem, packFields, unpackFields } from '../../../adapters/dynamodb/job-item.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import { itemBytes } from '../../../lab/bench/harness/calls/item-size.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, later } from '../../builders/jobs/jobs.ts';

function bytesOf(job: JobRecord): number {
  const { packed, ...item } = jobItem(job);
  return itemBytes(item) + 'packed'.length + (packed?.B?.byteLength ?? 0);
}

const chunking = { chunks: 1, reason: 'Encoded in a single pass: it lasts 8.0 s' };

describe('the packed fields of a job', () => {
  it('are unpacked unchanged, beside the other fields', () => {
    const metadata = JSON.parse('{"constructor":"ü","__proto__":"y","empty":""}') as object;
    const fields = { state: 'queued', request: { metadata, crf: 23.5 }, cost: undefined, attempt: 1 };
    expect(unpackFields(packFields(fields))).toEqual({ ...fields, cost: undefined });
  });

  it('are absent if a job has none of them', () => {
    expect(packFields({ state: 'deleted' })).toEqual({ state: 'deleted' });
    expect(unpackFields({ state: 'deleted' })).toEqual({ state: 'deleted' });
  });

  it('leave the record of a completed job below a kilobyte', () => {
    const job = { ...aCompletedJob({ jobId: aJobId(1) }), chunking };
    expect(bytesOf(job)).toBeLessThan(1_024);
    expect(jobFromItem(jobItem(job))).toEqual(job);
  });

  it('leave a record with a request, files and warnings that are as large as they may be below the 400 KB of an item', () => {
    // Hashes, since other text is compressed.
    const text = (length: number, name: number) =>
      Array.from({ length: Math.ceil(length / 43) }, (_, n) =>
        createHash('sha256').update(`${name} ${n}`).digest('base64url'),
      )
        .join('')
        .slice(0, length);
    const { files, request } = aCompletedJob();
    const many = Array.from({ length: 400 }, (_, n) => [text(80, n), { ...files.output, key: text(250, -n) }]);
    const job = aCompletedJob({
      jobId: aJobId(1),
      request: { ...request, metadata: { all: text(16_384, 1_000) } },
      files: Object.fromEntries(many),
      warnings: Array.from({ length: 50 }, (_, n) => ({ code: 'TRACK_DROPPED', message: text(500, 2_000 + n) })),
    });
    expect(bytesOf(job)).toBeGreaterThan(100_000);
    expect(bytesOf(job)).toBeLessThan(400 * 1024);
  });

  it('leave the record of a deleted job with 400 files of the longest keys at a storage provider below that size', () => {
    const folder = `${'a folder of a customer/'.repeat(43)}${aJobId(1)}`.slice(0, 1_005);
    const keys = Array.from({ length: 400 }, (_, n) => `${folder}/thumbnail-${n}.jpg`);
    const { job } = deleteJob(aCompletedJob({ jobId: aJobId(1) }), later(0), { mark: 'm', keys });
    expect(bytesOf(job)).toBeLessThan(400 * 1024);
    expect(jobFromItem(jobItem(job))).toEqual(job);
  });

  it('are rejected if their dictionary is missing', () => {
    const { packed } = packFields({ request: {} });
    const other = Buffer.from(packed as Uint8Array);
    other[0] = jobDictionary.number + 1;
    expect(() => unpackFields({ packed: other })).toThrow(
      'Another version wrote this item (dictionary 2): deploy that version',
    );
  });

  it('are rejected if they would fill the memory of a function', () => {
    const { packed } = packFields({ request: { text: 'x'.repeat(9_000_000) } });
    expect(() => unpackFields({ packed })).toThrow();
  });
});
