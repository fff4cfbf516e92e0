import { it } from 'vitest';
import { chunkSource } from '../builders/chunk-sources.ts';
import { encodeBothWays } from '../builders/encode-chunked.ts';
import { encodeStored, expectSameBytes } from '../builders/encode-stored.ts';

it.each(['openGop', 'h264Stream'] as const)(
  'chunks of %s that are read from a bucket, and joined from it, are those of a file',
  async (kind) => {
    const compress = { name: 'compress', preset: 'ultrafast' } as const;
    // With several, x264 decides otherwise now and then, whatever it reads from.
    const share = { threads: 1 };
    const both = await encodeBothWays(await chunkSource(kind), 'mp4', compress, { share });
    await expectSameBytes(both, await encodeStored(both));
  },
);
