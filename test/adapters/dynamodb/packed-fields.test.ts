import { describe, expect, it } from 'vitest';
import { jobDictionary, jobFromItem, jobItem, packFields, unpackFields } from '../../../adapters/dynamodb/job-item.ts';
import { itemBytes } from '../../../lab/bench/harness/calls/item-size.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId } from '../../builders/jobs/jobs.ts';

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
    const { packed, ...item } = jobItem(job);
    const bytes = itemBytes(item) + 'packed'.length + (packed?.B?.byteLength ?? 0);
    expect(bytes).toBeLessThan(1_024);
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
