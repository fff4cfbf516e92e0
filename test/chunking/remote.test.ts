import { it } from 'vitest';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { encodeRemote, expectSameBytes } from '../builders/chunking/encode-remote.ts';

it.each(['openGop', 'h264Stream'] as const)(
  'chunks of %s that are read from a bucket, and joined from it, are those of a file',
  async (kind) => {
    const compress = { name: 'compress', preset: 'ultrafast' } as const;
    // With several, x264 decides otherwise now and then, whatever it reads from.
    const threads = 1;
    const both = await encodeBothWays(await chunkSource(kind), 'mp4', compress, { threads });
    await expectSameBytes(both, await encodeRemote(both));
  },
);
