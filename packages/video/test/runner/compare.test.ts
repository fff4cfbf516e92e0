import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import type { VmafComparison } from '../../src/media/ffmpeg/vmaf-comparison.ts';
import { filter } from '../../src/media/filters/filter.ts';
import type { FfmpegSettings } from '../../src/runner/run.ts';
import { ffmpegPrograms } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10:duration=1'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const source = () => generatedFile('source.mp4', [...pattern, ...h264, '-crf', '4']);
const encoded = () => generatedFile('encoded.mp4', [...pattern, ...h264, '-crf', '48']);

type Choice = { encoded: string; source: string; frameInterval: number };

/** Compares the two clips, or other files, in a directory of its own. */
async function compare(settings: Partial<FfmpegSettings>, { frameInterval = 1, ...files }: Partial<Choice> = {}) {
  const directory = await aTemporaryFolder();
  const side = (path: string) => ({
    input: { path },
    stream: 0,
    filters: [filter('settb', '1/25'), filter('setpts', 'N')],
  });
  const comparison: VmafComparison = {
    encoded: side(files.encoded ?? (await encoded())),
    source: side(files.source ?? (await source())),
    model: 'vmaf_v0.6.1',
    frameInterval,
    durationSeconds: 1,
  };
  const { signal } = new AbortController();
  const options = { directory, signal, timeLimitSeconds: 120, stallSeconds: 60 };
  try {
    return await anEncoder(settings).compare(comparison, options);
  } finally {
    expect(await readdir(directory)).toEqual([]);
  }
}

/** Debian's ffmpeg has none: there only the program compares. */
const hasFilter = await anEncoder({ vmafPath: undefined }).canCompare();

describe.each([
  ...(hasFilter ? [['the filter of ffmpeg', async () => ({ vmafPath: undefined })] as const] : []),
  ['the program vmaf', async () => ({ vmafPath: await vmafProgram(await aTemporaryFolder()) })] as const,
])('a comparison by %s', (_name, settings) => {
  it('scores every frame, and keeps the commands of ffmpeg', async () => {
    const { frameScores, runs } = await compare(await settings());
    expect(frameScores).toHaveLength(10);
    expect(runs.flatMap((run) => run.arguments)).toEqual(expect.arrayContaining([await source()]));
    const same = await compare(await settings(), { encoded: await source() });
    for (const [frame, score] of same.frameScores.entries()) expect(score).toBeGreaterThan(frameScores[frame] ?? 100);
  });

  it('scores one frame of several as it scores all', async () => {
    const all = await compare(await settings());
    const some = await compare(await settings(), { frameInterval: 3 });
    expect(some.frameScores).toEqual([0, 3, 6, 9].map((frame) => all.frameScores[frame]));
  });

  it('fails if a video cannot be read, and leaves no process waiting for its frames', async () => {
    const failure = { name: 'EncodeError', code: 'TRANSCODE_ERROR' };
    await expect(compare(await settings(), { source: '/nonexistent.mp4' })).rejects.toMatchObject(failure);
  });
});

it.skipIf(!hasFilter)('both ways of comparing give the same scores', async () => {
  const byFilter = await compare({ vmafPath: undefined });
  const byProgram = await compare({ vmafPath: await vmafProgram(await aTemporaryFolder()) });
  for (const [frame, score] of byFilter.frameScores.entries()) {
    expect(byProgram.frameScores[frame]).toBeCloseTo(score, 2);
  }
});

it('a program that does not start fails the comparison', async () => {
  await expect(compare({ vmafPath: '/nonexistent/vmaf' })).rejects.toThrow('not found');
});

/**
 * The program `vmaf` of `VMAF_PATH`, else a script with the same arguments that scores the two pipes by ffmpeg's filter.
 */
async function vmafProgram(directory: string): Promise<string> {
  if (process.env.VMAF_PATH) return process.env.VMAF_PATH;
  const path = join(directory, 'vmaf');
  const graph =
    '[0:v][1:v]libvmaf=model=$6:n_threads=$8:n_subsample=${10}:log_fmt=json:shortest=1:repeatlast=0:log_path=${13}';
  const read = '-protocol_whitelist file -f yuv4mpegpipe -i';
  const script = `#!/bin/sh\nexec ${ffmpegPrograms.ffmpegPath} -v error -nostdin ${read} "$4" ${read} "$2" -lavfi "${graph}" -f null -\n`;
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}
