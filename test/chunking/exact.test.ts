// @module-tag chunks
// @module-tag timing
import { bareFfmpeg, chunkSource } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays, verifyInstead } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';

const compress = { name: 'compress', preset: 'ultrafast', crf: 28 } as const;

it('chunks of a video with open GOPs join to the file of a single pass', async () => {
  await expectSinglePassFile(await encodeBothWays(await chunkSource('openGop'), 'mp4', compress));
});

it('a clip in chunks has the frames and the audio of a single pass', async () => {
  const recipe = { name: 'clip', start: 1.003, end: 9.5 } as const;
  await expectSinglePassFile(await encodeBothWays(await chunkSource('openGop'), 'mp4', recipe));
});

it('the verification of a join counts missing frames', async () => {
  const both = await encodeBothWays(await chunkSource('lateStart'), 'mp4', compress);
  const cut = `${both.chunked}.cut.mp4`;
  await bareFfmpeg(['-v', 'error', '-i', both.chunked, '-c', 'copy', '-t', '6', cut]);
  await expect(verifyInstead(both, cut)).rejects.toThrow(/^The joined file has \d+ frames; the source has 360$/);
});

it('a video with one keyframe takes a single pass', async () => {
  const encoding = encodeBothWays(await chunkSource('singleKeyframe'), 'mp4', compress);
  await expect(encoding).rejects.toThrow('its keyframes are too few');
});
