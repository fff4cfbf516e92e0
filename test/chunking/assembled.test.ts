import { it } from 'vitest';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { expectSamePackets } from '../builders/chunking/expect-same-packets.ts';

it.each(['openGop', 'heldLastFrame'] as const)(
  'an assembled file of %s has the packets of one that ffmpeg joined',
  async (kind) => {
    await expectSamePackets(await chunkSource(kind), 'mp4', {
      name: 'compress',
      preset: 'veryfast',
      crf: 28,
    });
  },
);
