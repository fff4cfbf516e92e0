import { expect, it } from 'vitest';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { encodeBothWays, verifyInstead } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';

const compress = { name: 'compress', preset: 'ultrafast' } as const;

it.each([
  ['openGop', 'mp4'],
  ['mpeg2OpenGop', 'mkv'],
] as const)('chunks of %s join to the %s of a single pass', async (kind, format) => {
  await expectSinglePassFile(await encodeBothWays(await chunkSource(kind), format, compress));
});

it('the verification of a join counts missing frames', async () => {
  const both = await encodeBothWays(await chunkSource('lateStart'), 'mp4', compress);
  const cut = `${both.chunked}.cut.mp4`;
  await bareFfmpeg(['-v', 'error', '-i', both.chunked, '-c', 'copy', '-t', '6', cut]);
  await expect(verifyInstead(both, cut)).rejects.toThrow(
    /^The joined file has \d+ frames; the source has 360$/,
  );
});

it('a video with one keyframe takes a single pass', async () => {
  const encoding = encodeBothWays(await chunkSource('singleKeyframe'), 'mp4', compress);
  await expect(encoding).rejects.toThrow('its keyframes are too few');
});
