// @module-tag color
// @module-tag copies
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { aDolbyVisionClip } from '../builders/media/dolby-vision.ts';
import { anEncoder, encodeOne } from '../builders/recipes/encode.ts';

const spoken = /mdcv|clli|dvcC|dvvC/;

async function textOf(path: string): Promise<string> {
  return readFile(path, 'latin1');
}

it('a phone clip in Dolby Vision becomes SDR without Dolby Vision metadata', async () => {
  const source = await aDolbyVisionClip('8.4');
  expect(await textOf(source)).toMatch(spoken);
  expect((await anEncoder().probe(source)).streams[0]).toMatchObject({ hdrTransfer: 'hlg', dolbyVision: 'compatible' });
  for (const format of ['mp4', 'mkv'] as const) {
    const { path, probe } = await encodeOne(source, format, { name: 'transcode' });
    expect(await textOf(path)).not.toMatch(spoken);
    expect(probe.streams[0]).toMatchObject({ codec: 'h264', colorMatrix: 'bt709' });
    expect(probe.streams[0]).toMatchObject({ dolbyVision: undefined });
  }
});

it('a joined video has no Dolby Vision metadata', async () => {
  const source = await aDolbyVisionClip('8.4');
  const { path } = await encodeOne({ inputs: [source, source] }, 'mkv', { name: 'concat' });
  expect(await textOf(path)).not.toMatch(spoken);
});

it('a copied video stream stays Dolby Vision', async () => {
  const { path } = await encodeOne(await aDolbyVisionClip('8.4'), 'mp4', { name: 'mute' });
  expect(await textOf(path)).toContain('dvvC');
});

it.each([
  ['mp4', { name: 'compress' }],
  ['mp4', { name: 'mute' }],
  ['jpg', { name: 'thumbnail' }],
  ['m3u8', { name: 'hls' }],
] as const)('Dolby Vision without a compatible base layer is rejected in %s by %o', async (format, recipe) => {
  await expect(encodeOne(await aDolbyVisionClip('5.0'), format, recipe)).rejects.toMatchObject({
    code: 'INPUT_UNSUPPORTED',
    message: expect.stringContaining('profile 5'),
  });
});

it('the audio of an incompatible Dolby Vision file can be extracted', async () => {
  const output = await encodeOne(await aDolbyVisionClip('5.0'), 'mp3', { name: 'extract-audio' });
  expect(output.probe.streams).toMatchObject([{ kind: 'audio' }]);
});

it('an incompatible Dolby Vision stream that is copied is for players with Dolby Vision alone', async () => {
  const source = await aDolbyVisionClip('5.0');
  const { path } = await encodeOne(source, 'mp4', { name: 'remux' });
  const text = await textOf(path);
  expect(text).toContain('dvcC');
  expect(text).toContain('dvh1');
  expect(text).not.toContain('hvc1');
  await expect(encodeOne(source, 'mov', { name: 'remux' })).rejects.toMatchObject({
    code: 'INPUT_UNSUPPORTED',
    message: expect.stringContaining('Use mp4 or mkv'),
  });
});
