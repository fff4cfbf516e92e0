// @module-tag nightly
// @module-tag streams
// @module-tag subtitles
import { readFile } from 'node:fs/promises';
import {
  bareFfmpegOutput,
  captionedClip,
  captionsIdentifier,
  captionText,
  emptyPairs,
  readMasterPlaylist,
} from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const recipe = { name: 'hls', preset: 'ultrafast' } as const;

async function stream(codecs: ('h264' | 'h265' | 'av1')[], clip = captionedClip(3)) {
  const files = await encodeAll(await clip, 'm3u8', { ...recipe, codecs });
  const { sizes } = readMasterPlaylist(await files.text('hls'));
  const videos = [...files.paths].flatMap(([name, path]) => (/^\d+p(-h265|-av1)?$/.test(name) ? [path] : []));
  return { stated: sizes.map(({ captions }) => captions), videos, dash: await files.text('dash') };
}

const carriesMessages = async (path: string) => (await readFile(path)).includes(captionsIdentifier);

/** The captions that ffmpeg decodes from the frames of a video. */
async function decodedCaptions(path: string): Promise<string> {
  const captions = ['-f', 'lavfi', '-i', `movie=${path}[out0+subcc]`, '-map', '0:s'];
  return (await bareFfmpegOutput([...captions, '-f', 'srt', '-'])).toString();
}

it('a stream states the closed captions that H.264 and H.265 carry', async () => {
  const { stated, videos, dash } = await stream(['h264', 'h265']);
  expect(videos).toHaveLength(2);
  expect(stated).toEqual(videos.map(() => 'captions'));
  for (const path of videos) expect(await decodedCaptions(path)).toContain(captionText);
  expect(dash.match(/urn:scte:dash:cc:cea-608:2015/g)).toHaveLength(2);
});

it('a stream with AV1, which carries none, has none in its other codecs either', async () => {
  const { stated, videos, dash } = await stream(['h264', 'av1']);
  expect(stated).toEqual(videos.map(() => 'NONE'));
  expect(await Promise.all(videos.map(carriesMessages))).toEqual([false, false]);
  expect(dash).not.toContain('cea-608');
});

it('empty pairs in place of captions are not stated', async () => {
  const { stated, videos, dash } = await stream(['h264', 'h265'], captionedClip(3, emptyPairs));
  expect(await Promise.all(videos.map(carriesMessages))).toEqual([true, true]);
  expect(stated).toEqual(['NONE', 'NONE']);
  expect(dash).not.toContain('cea-608');
});
