import { expect, it } from 'vitest';
import { planPublication } from '../../../core/publish/store-result.ts';
import { findTemplateProblemUnder, keyTemplateSchema } from '../../../core/storage/object-key.ts';
import type { DescribedOutput } from '../../../core/worker/outputs.ts';

/** The longest key of a job whose files differ in their names or only in their extensions. */
function maxKeyBytes(keyTemplate: string, prefix: string | undefined): number {
  const name = 'n'.repeat(40);
  const outputs = [`${name}.webm`, `${name}.m3u8`, 'output.mp4'].map((filename): DescribedOutput => {
    const file = { key: `jobs/job-1/1/${filename}`, filename, mime_type: '' } as DescribedOutput['file'];
    return { name: filename, path: `/disk/${filename}`, sizeBytes: 1, file };
  });
  const { publication } = planPublication(outputs, {
    destination: { storageProviderId: 'sp_1', keyTemplate },
    prefixes: new Map([['sp_1', prefix]]),
    job: { jobId: '0190d5a2-0000-7000-8000-000000000001', createdAt: '2026-03-01T00:00:00.000Z' },
    mark: 'mark',
    result: { inputSizeBytes: 1 },
  });
  return Math.max(...publication.uploads.map(({ key }) => Buffer.byteLength(key)));
}

it.each([
  ['{name}', 'é'.repeat(489), 1024, undefined],
  ['{name}', `${'é'.repeat(489)}e`, 1025, 'allows keys of 1025 bytes'],
  ['{date}/x', '\u{1f39e}'.repeat(241), 1023, undefined],
  ['{date}/xyz', '\u{1f39e}'.repeat(241), 1025, 'allows keys of 1025 bytes'],
  ['{jobId}'.repeat(27), undefined, 1018, undefined],
  ['{jobId}'.repeat(28), undefined, 1054, 'allows keys of 1054 bytes'],
])('the template %s under the prefix %s is rejected if its longest key has more than 1,024 bytes', (...row) => {
  const [template, prefix, bytes, problem] = row;
  expect(keyTemplateSchema.safeParse(template).success).toBe(true);
  expect(maxKeyBytes(template, prefix)).toBe(bytes);
  const expected = problem === undefined ? undefined : expect.stringContaining(problem);
  expect(findTemplateProblemUnder(template, prefix)).toEqual(expected);
});
