// @module-tag sources
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { readMp4File } from '../../src/media/probe/wholeness.ts';
import { inputLimitsSchema, validateProbe } from '../../src/probe.ts';
import { clipWith } from '../builders/media/clips.ts';
import { lateTimeline } from '../builders/media/late-timeline.ts';
import { twoDescriptions } from '../builders/media/two-descriptions.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

async function validate(parts: readonly string[]): Promise<void> {
  const path = join(await aTemporaryFolder(), 'joined.mp4');
  const bytes = Buffer.concat(await Promise.all(parts.map((part) => readFile(part))));
  await writeFile(path, bytes);
  const probe = await anEncoder().probe(path);
  const readAt = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const remote = await readMp4File({ readAt, sizeBytes: bytes.length }, { isRemote: true });
  expect(remote.wholeness.misreading).toBe(probe.misreading);
  validateProbe(probe, inputLimitsSchema.parse({}));
}

it.each([
  ['are not fragmented', () => Promise.all([clipWith(), clipWith()])],
  ['begin at the same time', () => Promise.all([lateTimeline('mp4', 0), lateTimeline('mp4', 0)])],
  ['have other settings', () => Promise.all([lateTimeline('mp4', 0), twoDescriptions('same')])],
])('an MP4 of several files that %s is rejected', async (_, parts) => {
  const error = {
    code: 'INPUT_UNSUPPORTED',
    message: expect.stringContaining('2 files one behind the other'),
  };
  await expect(parts().then(validate)).rejects.toMatchObject(error);
});

it('an MP4 whose index is repeated between its fragments is accepted', async () => {
  await expect(validate([await lateTimeline('mp4', 0), await lateTimeline('mp4', 12)])).resolves.toBeUndefined();
});
