import { createDecipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ReadAt } from '../../../src/media/boxes.ts';
import { encryptedLayout, encryptSegments } from '../../../src/media/encryption/aes-128.ts';

const key = randomBytes(16);
const iv = randomBytes(16);

/** A clear file of an initialization section of 37 bytes and segments of these sizes. */
function aFile(sizes: readonly number[]) {
  const clearBytes = 37;
  let offset = clearBytes;
  const segments = sizes.map((sizeBytes) => {
    offset += sizeBytes;
    return { offset: offset - sizeBytes, sizeBytes, seconds: 2 };
  });
  const bytes = randomBytes(offset);
  // Reads are as small as a disk may return them.
  const readAt: ReadAt = async (from, length) => bytes.subarray(from, from + Math.min(length, 1000));
  return { bytes, readAt, clear: { clearBytes, segments } };
}

type File = ReturnType<typeof aFile>;

async function encrypted({ readAt, clear }: File, vector: Uint8Array | undefined): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of encryptSegments(readAt, clear, { key, iv: vector })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const vectorOf = (number: number) => Buffer.from(number.toString(16).padStart(32, '0'), 'hex');

describe('a file whose segments are encrypted', () => {
  const sizes = [4999, 16, 1, 5_000_000, 32];
  const file = aFile(sizes);

  it.each<[string, Uint8Array | undefined]>([
    ['the number of each', undefined],
    ['a given vector', iv],
  ])('has each segment by itself, from %s', async (_, vector) => {
    const bytes = await encrypted(file, vector);
    const { segments } = encryptedLayout(file.clear);
    expect(segments).toHaveLength(sizes.length);
    for (const [number, { offset, sizeBytes, seconds }] of segments.entries()) {
      const decipher = createDecipheriv('aes-128-cbc', key, vector ?? vectorOf(number));
      const found = Buffer.concat([decipher.update(bytes.subarray(offset, offset + sizeBytes)), decipher.final()]);
      const from = file.clear.segments[number]?.offset ?? 0;
      expect(found.equals(file.bytes.subarray(from, from + (sizes[number] ?? 0)))).toBe(true);
      expect([offset % 16, seconds]).toEqual([0, 2]);
    }
    expect(bytes.length).toBe((segments.at(-1)?.offset ?? 0) + (segments.at(-1)?.sizeBytes ?? 0));
  });

  it('has the initialization section as it was', async () => {
    expect((await encrypted(file, iv)).subarray(0, 37).equals(file.bytes.subarray(0, 37))).toBe(true);
  });

  it.each([
    ['at the start of a segment', 37, 4000],
    ['in it', 37 + 1001, 777],
    ['up to its end', 37 + 3000, 1999],
    ['of the whole segment', 37 + 5015, 1],
  ])('opens a keyframe %s as RFC 8216, section 6.3.6 says, with any vector', async (_, from, length) => {
    const bytes = await encrypted(file, undefined);
    const { offset, sizeBytes } = encryptedLayout(file.clear).rangeOf({ offset: from, sizeBytes: length });
    const start = offset - (offset % 16) - 16;
    const end = Math.ceil((offset + sizeBytes) / 16) * 16;
    const decipher = createDecipheriv('aes-128-cbc', key, randomBytes(16)).setAutoPadding(false);
    const wide = Buffer.concat([decipher.update(bytes.subarray(start, end)), decipher.final()]);
    const found = wide.subarray(offset - start, offset - start + sizeBytes);
    expect(found.equals(file.bytes.subarray(from, from + length))).toBe(true);
  });

  it('has no range for bytes outside of one segment', () => {
    const { rangeOf } = encryptedLayout(file.clear);
    expect(() => rangeOf({ offset: 36, sizeBytes: 1 })).toThrow('No segment has the 1 bytes from 36');
    expect(() => rangeOf({ offset: 5000, sizeBytes: 37 })).toThrow('No segment');
  });

  it('is not made from a file that ends early', async () => {
    const { readAt } = aFile([100]);
    await expect(encrypted({ ...file, readAt }, iv)).rejects.toThrow('The file ends before its last segment');
  });
});
