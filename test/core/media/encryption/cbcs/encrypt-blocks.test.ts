import { createDecipheriv, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { encryptBlocks } from '../../../../../core/media/encryption/cbcs/encrypt-blocks.ts';

const key = randomBytes(16);
const iv = randomBytes(16);

function encrypted(clear: Uint8Array, pattern?: { encryptedBlocks: number; clearBlocks: number }): Buffer {
  const bytes = Buffer.from(clear);
  encryptBlocks(bytes, { key, iv }, pattern);
  return bytes;
}

function decrypted(bytes: Uint8Array): Buffer {
  return createDecipheriv('aes-128-cbc', key, iv).setAutoPadding(false).update(bytes);
}

it('without a pattern all whole blocks are encrypted, and the rest stays clear', () => {
  const clear = randomBytes(55);
  const bytes = encrypted(clear);
  expect(decrypted(bytes.subarray(0, 48)).equals(clear.subarray(0, 48))).toBe(true);
  expect(bytes.subarray(48).equals(clear.subarray(48))).toBe(true);
});

it.each([1, 15, 16, 17, 159, 160, 175, 176, 321, 5000])(
  'of %i bytes in a pattern the first of ten blocks is encrypted, in one chain',
  (size) => {
    const clear = randomBytes(size);
    const bytes = encrypted(clear, { encryptedBlocks: 1, clearBlocks: 9 });
    const starts = Array.from({ length: Math.floor((size + 144) / 160) }, (_, run) => 160 * run);
    const blocksOf = (all: Buffer) => Buffer.concat(starts.map((start) => all.subarray(start, start + 16)));
    expect(decrypted(blocksOf(bytes)).equals(blocksOf(clear))).toBe(true);
    const isClear = (_: number, at: number) => at % 160 >= 16 || at >= size - (size % 16);
    expect(bytes.filter(isClear)).toEqual(clear.filter(isClear));
  },
);
