// @module-tag nightly
// @module-tag chunks
// @module-tag sources
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { bareFfmpeg, chunkSource, cuttableSources } from '@media-jobs/video/testing';
import { describe, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { encodeRemote, expectSameBytes } from '../builders/chunking/encode-remote.ts';

/** x264 is not deterministic with several threads. */
const threads = 1;

describe.each(cuttableSources)('chunks of %s', (kind) => {
  it('read from and joined from a bucket are those of a local file', async () => {
    const both = await encodeBothWays(await chunkSource(kind), 'mp4', { name: 'compress', crf: 23 }, { threads });
    await expectSameBytes(both, await encodeRemote(both));
  });
});

it('chunks with a watermark in the bucket are those of local files', async () => {
  const path = join(await aTemporaryFolder(), 'mark.png');
  await bareFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', 'color=red:size=64x64', '-frames:v', '1', path]);
  const recipe = { name: 'watermark', image: 'https://example.com/a.png', scale: 0.5 } as const;
  const assets = { image: { path, role: 'input' } } as const;
  const both = await encodeBothWays(await chunkSource('openGop'), 'mp4', recipe, { assets, threads });
  await expectSameBytes(both, await encodeRemote(both));
});
