import { expect, it } from 'vitest';
import { readFragmentedFile } from '../../../src/media/fragments/fragmented-file.ts';

it('a stream without a segment fails as an encoding, not as an internal error', async () => {
  const ftyp = new Uint8Array([0, 0, 0, 8, ...new TextEncoder().encode('ftyp')]);
  const readAt = async (offset: number, bytes: number) => ftyp.slice(offset, offset + bytes);
  await expect(readFragmentedFile(readAt)).rejects.toMatchObject({
    code: 'TRANSCODE_ERROR',
    message: 'The finished stream has no segment. The input is probably damaged or truncated',
    retryable: false,
  });
});
