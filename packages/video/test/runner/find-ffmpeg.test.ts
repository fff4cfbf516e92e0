import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { FfmpegMissingError, findFfmpeg, findProgram } from '../../src/local-programs.ts';

const missing = { name: 'ffmpeg', variable: 'FFMPEG_PATH', packageName: '@nobody/has-this' } as const;

async function aProgram(): Promise<{ folder: string; path: string }> {
  const folder = await aTemporaryFolder();
  const path = join(folder, 'ffmpeg');
  await writeFile(path, '#!/bin/sh\necho ours\n');
  await chmod(path, 0o755);
  return { folder, path };
}

describe('findProgram without an npm package', () => {
  it('findProgram uses the environment variable', async () => {
    const { path } = await aProgram();
    expect(findProgram(missing, { FFMPEG_PATH: path, PATH: '' })).toBe(path);
  });

  it('the environment variable is stronger than the PATH and the npm package', async () => {
    const [wanted, other] = [await aProgram(), await aProgram()];
    const environment = { FFMPEG_PATH: wanted.path, FFPROBE_PATH: wanted.path, PATH: other.folder };
    expect(findFfmpeg(environment)).toEqual({ ffmpeg: wanted.path, ffprobe: wanted.path });
  });

  it('findProgram uses the PATH', async () => {
    const { folder, path } = await aProgram();
    expect(findProgram(missing, { PATH: `/nowhere:${folder}` })).toBe(path);
    const { stdout } = await promisify(execFile)(findProgram(missing, { PATH: folder }));
    expect(stdout).toBe('ours\n');
  });

  it('findProgram explains what to do if there is no program', () => {
    expect(() => findProgram(missing, { PATH: '/nowhere' })).toThrow(FfmpegMissingError);
    expect(() => findProgram(missing, { PATH: '/nowhere' })).toThrow(/ffmpeg was not found\. .*FFMPEG_PATH/);
  });

  it('findProgram rejects a variable that is not an executable file', () => {
    expect(() => findProgram(missing, { FFMPEG_PATH: '/nowhere/ffmpeg' })).toThrow(
      'FFMPEG_PATH is /nowhere/ffmpeg, which is not an executable file.',
    );
  });
});
