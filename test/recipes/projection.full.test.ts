// @module-tag geometry
import { anEncoder, bareFfprobe, encodeOne, sphericalClip } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';

/** The projection that a player finds, or undefined for a flat video. */
async function projectionOf(path: string): Promise<string | undefined> {
  const entries = ['-show_entries', 'stream_side_data=projection', '-of', 'default=nk=1:nw=1'];
  return (await bareFfprobe(['-select_streams', 'v', ...entries, path]))[0];
}

// Before 7.1, ffmpeg loses it in MOV and in a filter graph with labels.
const losesProjection = / n?7\.0/.test(await anEncoder().version());
const containers = losesProjection ? (['mp4', 'mkv'] as const) : (['mp4', 'mov', 'mkv'] as const);

const compress = { name: 'compress', preset: 'ultrafast' } as const;

describe('a 360-degree video', () => {
  it.each(containers)('stays one in %s', async (format) => {
    const { path } = await encodeOne(await sphericalClip(), format, compress);
    expect(await projectionOf(path)).toBe('equirectangular');
  });

  it.each([
    ['mp4', { name: 'resize', width: 100, height: 100, fit: 'cover' }],
    ['mkv', { name: 'resize', width: 100, height: 100, fit: 'pad' }],
    ['mkv', { name: 'rotate', degrees: 90 }],
  ] as const)('is flat in %s behind %o', async (format, recipe) => {
    const { path } = await encodeOne(await sphericalClip(), format, recipe);
    expect(await projectionOf(path)).toBeUndefined();
  });

  it.each([
    ['mp4', 'joined', compress],
    ['mkv', 'joined', compress],
    ['mp4', 'assembled', compress],
  ] as const)('stays one in %s of chunks, %s', async (format, way, recipe) => {
    const options = { isAssembled: way === 'assembled', targetChunkSeconds: 2 };
    const { chunked, tasks } = await encodeBothWays(await sphericalClip(), format, recipe, options);
    expect(tasks.length).toBeGreaterThan(1);
    expect(await projectionOf(chunked)).toBe('equirectangular');
  });

  it.skipIf(losesProjection)('stays one in HLS, in a single pass and in chunks', async () => {
    const both = await encodeBothWays(
      await sphericalClip(),
      'm3u8',
      { name: 'hls', preset: 'ultrafast' },
      { targetChunkSeconds: 2 },
    );
    const { single, chunked } = both.files.find(({ output }) => output.filename === 'stream_0.mp4') ?? both;
    expect(await Promise.all([single, chunked].map(projectionOf))).toEqual(['equirectangular', 'equirectangular']);
  });
});
