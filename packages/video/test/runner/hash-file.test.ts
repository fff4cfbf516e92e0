import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashFile } from '../../src/runner/workspace.ts';

let path: string;

beforeEach(async () => {
  path = join(await aTemporaryFolder(), 'file');
});

describe('the hash of a file', () => {
  it.each([0, 1, 2 ** 20, 3 * 2 ** 20 + 7])('is the SHA-256 of its %d bytes', async (length) => {
    const content = Buffer.from(Array.from({ length }, (_, n) => (n * 31) % 251));
    await writeFile(path, content);
    expect(await hashFile(path)).toBe(createHash('sha256').update(content).digest('hex'));
  });

  it('is not computed after an abort', async () => {
    await writeFile(path, 'a clip');
    await expect(hashFile(path, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});
