import { aCountingListener } from '@media-jobs/testing/counting-listener';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import type { Encoder } from '../../src/media/ffmpeg/ports.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { clipWith } from '../builders/media/clips.ts';
import { concatScriptOf, manifestOf, playlistOf, svgOf, writeTestFile } from '../builders/media/hostile-files.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

// The name of every input on the worker's disk, and names from which ffmpeg would guess a format.
const names = ['input', 'input.mp4', 'input.m3u8', 'input.ffconcat', 'input.svg', 'input.mpd'];

/** Opens a file with ffprobe and ffmpeg, as the worker would if ffprobe accepted it. */
async function open(encoder: Encoder, path: string, directory: string): Promise<PromiseSettledResult<unknown>[]> {
  const command = { inputs: [{ path }], outputArguments: ['-c', 'copy', '-f', 'matroska', `${directory}/output.mkv`] };
  const options = { directory, signal: new AbortController().signal, timeLimitSeconds: 20, stallSeconds: 20 };
  return Promise.allSettled([encoder.probe(path), encoder.run(command, options)]);
}

const rejected = { status: 'rejected', reason: { code: expect.stringMatching(/^INPUT_(FORBIDDEN|NOT_MEDIA)$/) } };

describe.each([
  ['a playlist', playlistOf],
  ['a concat script', concatScriptOf],
  ['a drawing', svgOf],
  ['a manifest', manifestOf],
])('%s in disguise', (_kind, contentFor) => {
  it('connects to no address', async () => {
    const directory = await aTemporaryFolder();
    const { url, connections } = await aCountingListener();
    for (const name of names) {
      const path = await writeTestFile(directory, name, contentFor(url));
      expect(await open(anEncoder(), path, directory)).toMatchObject([rejected, rejected]);
    }
    expect(connections()).toBe(0);
  });

  it('reads no other file', async () => {
    const directory = await aTemporaryFolder();
    const secret = await clipWith();
    for (const name of names) {
      const path = await writeTestFile(directory, name, contentFor(secret));
      expect(await open(anEncoder(), path, directory)).toMatchObject([rejected, rejected]);
    }
  });
});

it('an ffmpeg without the guards fetches the URL of a playlist, and the listener counts it', async () => {
  const { url, connections } = await aCountingListener();
  const path = await writeTestFile(await aTemporaryFolder(), 'input', playlistOf(url));
  await bareFfmpeg([...'-protocol_whitelist file,http,tcp -f hls -i'.split(' '), path, '-f', 'null', '-']).catch(
    () => {},
  );
  expect(connections()).toBeGreaterThan(0);
});

it('an ffmpeg with the protocol whitelist alone reads another file', async () => {
  const directory = await aTemporaryFolder();
  const path = await writeTestFile(directory, 'input', concatScriptOf(await clipWith()));
  const copy = `${directory}/copy.mkv`;
  await bareFfmpeg([...'-protocol_whitelist file -safe 0 -f concat -i'.split(' '), path, '-c', 'copy', copy]);
  expect((await anEncoder().probe(copy)).durationSeconds).toBeGreaterThan(1);
});
