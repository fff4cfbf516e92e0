import { it } from 'vitest';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { encodeRemote, expectSameBytes } from '../builders/chunking/encode-remote.ts';

it('chunks of a video with open GOPs, read from and joined from a bucket, are those of a local file', async () => {
  const compress = { name: 'compress', preset: 'ultrafast', crf: 28 } as const;
  // x264 is not deterministic with several threads.
  const both = await encodeBothWays(await chunkSource('openGop'), 'mp4', compress, { threads: 1 });
  await expectSameBytes(both, await encodeRemote(both));
});
