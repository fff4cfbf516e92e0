import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { describeFfmpeg, describeIsolation } from '../../../lib/local/describe-ffmpeg.ts';

/** A folder with programs that say that they are ffmpeg of this version. */
async function aBuildOf(version: string): Promise<string> {
  const folder = await aTemporaryFolder();
  for (const name of ['ffmpeg', 'ffprobe']) {
    await writeFile(join(folder, name), `#!/bin/sh\necho 'ffmpeg version ${version} Copyright'\n`);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

/** Describes the stage's ffmpeg where `used` is configured and `other` is on the PATH. */
async function described(used: string, other: string) {
  const [own, theirs] = [await aBuildOf(used), await aBuildOf(other)];
  const FFMPEG_PATH = join(own, 'ffmpeg');
  const text = await describeFfmpeg({ FFMPEG_PATH, FFPROBE_PATH: join(own, 'ffprobe'), PATH: theirs });
  return { text, line: `ffmpeg ${used}, ${FFMPEG_PATH}`, offer: `FFMPEG_PATH=${join(theirs, 'ffmpeg')}` };
}

it.each([
  ['7.0', '7.1.5-0+deb13u1'],
  ['n7.0.2-3', '8.0'],
])('an ffmpeg of series 7.1 or later on the PATH is offered in place of %s', async (used, other) => {
  const { text, line, offer } = await described(used, other);
  expect(text.startsWith(line)).toBe(true);
  expect(text).toContain(offer);
});

it.each([
  ['7.1.5', '8.0'],
  ['7.0', '5.1.9-0+deb12u1'],
  ['7.0', 'N-118000-g0123abc'],
])('nothing is offered for %s with %s on the PATH', async (used, other) => {
  const { text, line } = await described(used, other);
  expect(text).toBe(line);
});

it.each([
  [{ directory: '/launcher', layers: ['no_new_privs', 'seccomp'] }, 'isolated by no_new_privs, seccomp'],
  [{ directory: undefined, problem: 'install gcc' }, 'not isolated, since there is no launcher: install gcc'],
])('the isolation of %j is described', (launcher, line) => expect(describeIsolation(launcher)).toBe(line));
