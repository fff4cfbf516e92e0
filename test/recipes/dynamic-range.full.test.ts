// @module-tag audio
import { bareFfmpeg, compressedRangeClip, compression, encode, encodeOne } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { encodeAll } from '../builders/recipes/encode-all.ts';

/** By how much the second half is quieter than the first, in dB. */
async function dropDb(path: string, options: readonly string[] = []): Promise<number> {
  const level = async (start: number) => {
    const filters = `atrim=start=${start}:duration=4,volumedetect`;
    const log = await bareFfmpeg([...options, '-i', path, '-vn', '-af', filters, '-f', 'null', '-']);
    return Number(/mean_volume: (-?[\d.]+) dB/.exec(log)?.[1]);
  };
  return (await level(1)) - (await level(compression.fromSeconds + 1));
}

describe('dynamic range compression that AC-3 states', () => {
  it('is applied by ffmpeg unless an option says otherwise', async () => {
    const source = await compressedRangeClip('mkv');
    expect(await dropDb(source)).toBeCloseTo(compression.db, 0);
    expect(await dropDb(source, ['-drc_scale', '0'])).toBeCloseTo(0, 0);
  });

  it.each([
    ['flac', { name: 'extract-audio' }],
    ['wav', { name: 'normalize-audio' }],
    ['mp4', { name: 'normalize-audio' }],
    ['mp4', { name: 'transcode', channels: 'source' }],
    ['mov', { name: 'transcode', codec: 'prores', profile: 'proxy' }],
    ['mp4', { name: 'clip', start: 0, end: 20 }],
    ['mp4', { name: 'speed', factor: 1.01 }],
    ['mp4', { name: 'renditions', heights: [144] }],
  ] as const)('does not change the audio of %s, %o', async (format, recipe) => {
    const source = await compressedRangeClip('mkv');
    const [output] = await encode(source, format, recipe as unknown as Parameters<typeof encode>[2]);
    expect(await dropDb(output?.path ?? '')).toBeCloseTo(0, 0);
  });

  it('does not change a stream', async () => {
    const files = await encodeAll(await compressedRangeClip('mkv'), 'm3u8', { name: 'hls' });
    const found = await dropDb(files.paths.get('audio') ?? '');
    expect(found).toBeCloseTo(0, 0);
  });

  it('does not change a joined video', async () => {
    const source = await compressedRangeClip('mkv');
    const { path } = await encodeOne({ inputs: [source, source] }, 'mp4', { name: 'concat' });
    expect(await dropDb(path)).toBeCloseTo(0, 0);
  });

  it.each([undefined, 2, 'as video'] as const)('does not change audio in chunks: %s', async (audioChunks) => {
    const source = await compressedRangeClip('mp4');
    const recipe = { name: 'transcode', preset: 'ultrafast' } as const;
    const options = { targetChunkSeconds: 8, audioChunks, isAssembled: audioChunks === 'as video' };
    const { single, chunked } = await encodeBothWays(source, 'mp4', recipe, options);
    for (const path of [single, chunked]) expect(await dropDb(path)).toBeCloseTo(0, 0);
  });

  it('does not change joined videos in chunks', async () => {
    const source = await compressedRangeClip('mp4');
    const { chunked } = await encodeBothWays([source, source], 'mp4', { name: 'concat' }, { targetChunkSeconds: 8 });
    expect(await dropDb(chunked)).toBeCloseTo(0, 0);
  });
});
