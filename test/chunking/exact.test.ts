import { expect, it } from 'vitest';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { encodeBothWays, verifyInstead } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';

const compress = { name: 'compress', preset: 'ultrafast' } as const;

it.each([
  ['openGop', 'mp4'],
  ['mpeg2OpenGop', 'mkv'],
] as const)('joins chunks of %s into the %s that one pass makes', async (kind, format) => {
  await expectSinglePassFile(await encodeBothWays(await chunkSource(kind), format, compress));
});

it('says which pictures are wrong in a join that lacks some', async () => {
  const both = await encodeBothWays(await chunkSource('lateStart'), 'mp4', compress);
  const cut = `${both.chunked}.cut.mp4`;
  await bareFfmpeg(['-v', 'error', '-i', both.chunked, '-c', 'copy', '-t', '6', cut]);
  await expect(verifyInstead(both, cut)).rejects.toThrow(
    /^The joined file has \d+ frames; the source has 360$/,
  );
});

it('leaves in one piece what has one keyframe', async () => {
  const encoding = encodeBothWays(await chunkSource('singleKeyframe'), 'mp4', compress);
  await expect(encoding).rejects.toThrow('its keyframes are too few');
});
