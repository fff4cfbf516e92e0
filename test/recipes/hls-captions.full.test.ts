import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readMasterPlaylist } from '../builders/measure/read-manifests.ts';
import { captionedClip, captionsIdentifier } from '../builders/media/captioned-clip.ts';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const recipe = { name: 'hls', preset: 'ultrafast' } as const;

async function stream(codecs: ('h264' | 'h265' | 'av1')[]) {
  const files = await encodeAll(await captionedClip(3), 'm3u8', { ...recipe, codecs });
  const { sizes } = readMasterPlaylist(await files.text('hls'));
  const videos = [...files.paths].filter(([name]) => /^\d+p(-h265|-av1)?$/.test(name));
  const carry = await Promise.all(
    videos.map(async ([, path]) => (await readFile(path)).includes(captionsIdentifier)),
  );
  return { stated: sizes.map(({ captions }) => captions), carry, dash: await files.text('dash') };
}

it('a stream states the closed captions that H.264 and H.265 carry', async () => {
  const { stated, carry, dash } = await stream(['h264', 'h265']);
  expect(stated).toHaveLength(carry.length);
  expect(new Set(stated)).toEqual(new Set(['captions']));
  expect(new Set(carry)).toEqual(new Set([true]));
  expect(dash.match(/urn:scte:dash:cc:cea-608:2015/g)).toHaveLength(2);
});

it('a stream with AV1, which carries none, has none in its other codecs either', async () => {
  const { stated, carry, dash } = await stream(['h264', 'av1']);
  expect(new Set(stated)).toEqual(new Set(['NONE']));
  expect(new Set(carry)).toEqual(new Set([false]));
  expect(dash).not.toContain('cea-608');
});
