import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { videoCodecArguments } from '../../../src/media/codecs/encoder-arguments.ts';
import { fixEncoderThreads } from '../../../src/media/ffmpeg/command.ts';
import { bareFfmpeg } from '../../builders/media/bare-ffmpeg.ts';

it.each([
  ['libx264', 1, 1],
  ['libx264', 2, 3],
  ['libx264', 6, 9],
  ['libx265', 2, 1],
  ['libx265', 6, 2],
  ['libx265', 16, 4],
])('%s takes as many threads for %i CPUs as by itself: %i', (encoder, cpuCount, threads) => {
  const args = ['-c:v', encoder, '-crf', '20', 'out.mp4'];
  expect(fixEncoderThreads(args, cpuCount)).toEqual(args.toSpliced(2, 0, '-threads:v', String(threads)));
});

it('other encoders and streams that are copied get no threads', () => {
  const args = ['-c:v', 'libsvtav1', '-c:v', 'copy', '-c:a', 'libx264'];
  expect(fixEncoderThreads(args, 6)).toEqual(args);
});

it('x264 writes the same bytes for the same number of threads, and others for another', async () => {
  const directory = await aTemporaryFolder();
  const encode = async (name: string, cpuCount: number) => {
    const path = join(directory, name);
    const encoder = videoCodecArguments('h264', { format: 'mp4', quality: { crf: 30 } });
    const output = [...fixEncoderThreads(encoder, cpuCount), path];
    await bareFfmpeg(['-f', 'lavfi', '-i', 'testsrc2=size=160x192:rate=25:duration=1', ...output]);
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  };
  const once = await encode('once.mp4', 6);
  expect(await encode('again.mp4', 6)).toBe(once);
  expect(await encode('fewer.mp4', 1)).not.toBe(once);
});
