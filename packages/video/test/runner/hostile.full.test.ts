import { stat, truncate } from 'node:fs/promises';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { validateProbe } from '../../src/media/probe/input-limits.ts';
import { bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import {
  clipTitledAsError,
  clipWithControlCharacters,
  clipWithCover,
  fileWithThousandStreams,
  hugeBmp,
  hugePng,
  svgOf,
  tenHoursOfBlack,
  truncatedClip,
  writeTestFile,
  zipPolyglot,
} from '../builders/media/hostile-files.ts';
import { anEncoder, encodeOne } from '../builders/recipes/encode.ts';

const limits = {
  sizeBytes: 5e9,
  durationSeconds: 14_400,
  width: 8192,
  height: 8192,
  streams: 16,
  framesPerSecond: 300,
};

/** The checks of the worker before it encodes. */
async function admit(path: string): Promise<void> {
  validateProbe(await anEncoder().probe(path), limits);
}

describe('before encoding', () => {
  it.each([
    ['PNG', hugePng()],
    ['BMP', hugeBmp()],
  ])('16,000 x 16,000 pixels are rejected with the limit, in %s', async (_, content) => {
    const path = await writeTestFile(await aTemporaryFolder(), 'input', content);
    await expect(admit(path)).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
      message: 'The video is 16000x16000 pixels; the limit is 8192x8192',
    });
  });

  it('1,000 streams are rejected with the limit', async () => {
    await expect(admit(await fileWithThousandStreams())).rejects.toMatchObject({
      code: 'INPUT_UNSUPPORTED',
      message: 'The input has more than 256 streams',
    });
  });

  it('ten hours of black in 50 KB are rejected with the limit', async () => {
    const path = await tenHoursOfBlack();
    expect((await stat(path)).size).toBeLessThan(50_000);
    await expect(admit(path)).rejects.toMatchObject({
      code: 'INPUT_TOO_LONG',
      message: 'The input lasts 36000 s; the limit is 14400 s',
    });
  });

  it('a file with a codec that is not accepted is rejected with the codec, by ffprobe and by ffmpeg', async () => {
    const recording = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:duration=1', '-c:v', 'zmbv'];
    const path = await generatedFile('screen-recording.avi', recording);
    expect(await bareFfprobe(['-show_streams', path])).toContain('codec_name=zmbv');
    const rejection = {
      code: 'INPUT_UNSUPPORTED',
      message: 'The codec of a stream is not accepted (ffmpeg detected zmbv)',
    };
    await expect(admit(path)).rejects.toMatchObject(rejection);
    const directory = await aTemporaryFolder();
    const options = {
      directory,
      signal: new AbortController().signal,
      timeLimitSeconds: 20,
      stallSeconds: 20,
    };
    const outputArguments = ['-c:v', 'libx264', `${directory}/output.mp4`];
    await expect(anEncoder().run({ inputs: [{ path }], outputArguments }, options)).rejects.toMatchObject(rejection);
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['text', Buffer.from('hello')],
    ['a web page', Buffer.from('<!doctype html><title>404</title>')],
    ['zeros', Buffer.alloc(100_000)],
    ['a ZIP archive', Buffer.concat([Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)])],
  ])('%s is not media', async (_name, content) => {
    const path = await writeTestFile(await aTemporaryFolder(), 'input', content);
    await expect(admit(path)).rejects.toMatchObject({ code: 'INPUT_NOT_MEDIA', retryable: false });
  });

  it('a file truncated before its index is not media', async () => {
    const path = await writeTestFile(await aTemporaryFolder(), 'input', (await truncatedClip(1)).subarray(1000));
    await expect(admit(path)).rejects.toMatchObject({ code: 'INPUT_NOT_MEDIA' });
  });
});

describe('while encoding', () => {
  it('a file truncated in its frames is detected, although ffmpeg exits with 0', async () => {
    const path = await writeTestFile(await aTemporaryFolder(), 'input', await truncatedClip(0.4));
    await expect(encodeOne(path, 'mp4', { name: 'compress' })).rejects.toMatchObject({
      code: 'INPUT_DAMAGED',
      message: expect.stringMatching(/^The input is damaged: of 50 video frames, \d+ are missing/),
    });
  });

  it('text of a track that would fill the memory is rejected with the limit', async () => {
    const path = await writeTestFile(await aTemporaryFolder(), 'text.vtt', 'WEBVTT\n');
    await truncate(path, 600_000_000);
    await expect(anEncoder().readText(path)).rejects.toMatchObject({
      code: 'INPUT_UNSUPPORTED',
      message: 'A subtitle track has 600000000 bytes of text; the limit is 32000000 bytes',
    });
  });

  it('a file that is also a ZIP archive loses the archive', async () => {
    const path = await writeTestFile(await aTemporaryFolder(), 'input', await zipPolyglot());
    const output = await encodeOne(path, 'mp4', { name: 'compress' });
    expect((await bareFfprobe(['-show_entries', 'format=nb_streams', '-of', 'csv=p=0', output.path]))[0]).toBe('2');
    expect(output.probe.durationSeconds).toBeCloseTo(2, 1);
  });

  it.each([
    ['a drawing', Buffer.from(svgOf('file:///etc/passwd'))],
    ['16,000 x 16,000 pixels', hugePng()],
  ])('a clip whose cover is %s is encoded without it', async (_, cover) => {
    const path = await writeTestFile(await aTemporaryFolder(), 'input', await clipWithCover(cover));
    await admit(path);
    const { probe } = await encodeOne(path, 'mp4', { name: 'compress' });
    expect(probe.streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
  });

  it('tags with control characters reach neither the output, nor the probe, nor the log', async () => {
    const path = await clipWithControlCharacters();
    const output = await encodeOne(path, 'mkv', { name: 'compress' });
    const tags = await bareFfprobe(['-show_entries', 'format_tags', '-of', 'json', output.path]);
    expect(tags.join('')).not.toContain('Set-Cookie');

    const encoder = anEncoder();
    const control = /[^\P{Cc}\n\t]|\p{Cf}/u;
    expect(JSON.stringify(await encoder.probe(path))).not.toContain('Set-Cookie');
    const { log } = await encoder.run(
      { inputs: [{ path }], outputArguments: ['-f', 'null', '-'] },
      {
        directory: await aTemporaryFolder(),
        signal: new AbortController().signal,
        timeLimitSeconds: 60,
        stallSeconds: 60,
      },
    );
    expect(log).toContain('Set-Cookie');
    expect(log).not.toMatch(control);
  });

  it('a title that reads like an error does not become the error of a failed run', async () => {
    const directory = await aTemporaryFolder();
    const run = anEncoder().run(
      {
        inputs: [{ path: await clipTitledAsError() }],
        outputArguments: ['-map', '0:a', `${directory}/output.mp4`],
      },
      { directory, signal: new AbortController().signal, timeLimitSeconds: 20, stallSeconds: 20 },
    );
    await expect(run).rejects.toMatchObject({
      code: 'INPUT_UNSUPPORTED',
      message: expect.stringContaining('lacks a video or audio stream'),
    });
  });
});
