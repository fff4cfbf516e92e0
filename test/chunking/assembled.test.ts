import { it } from 'vitest';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { expectSamePackets } from '../builders/chunking/expect-same-packets.ts';
import { expectSameStreams } from '../builders/chunking/expect-same-streams.ts';

// The matrix is assembled.full.test.ts.
it('an assembled file has the packets of one that ffmpeg joined', async () => {
  await expectSamePackets(await chunkSource('heldLastFrame'), 'mp4', {
    name: 'compress',
    preset: 'veryfast',
    crf: 28,
  });
});

it('an assembled stream has the frames and playlists of one that ffmpeg joined', async () => {
  await expectSameStreams(await chunkSource('openGop', { pixels: '320x240' }), {
    name: 'hls',
    segmentSeconds: 4,
    crf: 36,
    preset: 'ultrafast',
  });
});
