import { it } from 'vitest';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { encodeRemote, expectSameBytes } from '../builders/chunking/encode-remote.ts';

it.each(['openGop', 'h264Stream'] as const)(
  'chunks of %s read from and joined from a bucket are those of a local file',
  async (kind) => {
    const compress = { name: 'compress', preset: 'ultrafast', crf: 28 } as const;
    // x264 is not deterministic with several threads.
    const threads = 1;
    const both = await encodeBothWays(await chunkSource(kind), 'mp4', compress, { threads });
    await expectSameBytes(both, await encodeRemote(both));
  },
);
