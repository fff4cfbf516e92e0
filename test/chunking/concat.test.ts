import { expect, it } from 'vitest';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSameFile } from '../builders/chunking/expect-single-pass-file.ts';

it('joined videos that S3 assembles have the frames and the packets of a single pass', async () => {
  const inputs = [await chunkSource('lateAudio'), await chunkSource('openGop')] as const;
  const options = { targetChunkSeconds: 5, isAssembled: true };
  const { work, chunked, single } = await encodeBothWays(inputs, 'mp4', { name: 'concat', fps: 12 }, options);
  expect(work.audioChunks).toHaveLength(4);
  await expectSameFile(chunked, single, { isAudioCut: true });
});
