import { expect, it } from 'vitest';
import { statedEncryption } from '../../../../core/media/encryption/stream-encryption.ts';

const keyUri = 'https://keys.example/film';
const [one, other] = ['019ca945-0a00-7000-8000-000000000001', '019ca945-0a00-7000-8000-000000000002'];
const cbcs = { scheme: 'cbcs', keyUri } as const;

it('samples have the vector and the key id of the request', () => {
  const values = { ...cbcs, iv: '1'.repeat(32), keyId: '2'.repeat(32) };
  expect(statedEncryption(values, one)).toEqual(values);
});

it('without them they are those of the job, the same for each of its attempts', () => {
  const stated = statedEncryption(cbcs, one);
  expect(stated).toEqual({
    ...cbcs,
    keyId: '019ca9450a0070008000000000000001',
    iv: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(statedEncryption(cbcs, one)).toEqual(stated);
  expect(statedEncryption(cbcs, other).iv).not.toBe(stated.iv);
});

it('segments that are encrypted whole have no vector but a given one', () => {
  const whole = { scheme: 'aes-128', keyUri } as const;
  expect(statedEncryption(whole, one)).toEqual(whole);
});
