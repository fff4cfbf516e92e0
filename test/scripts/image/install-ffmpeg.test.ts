import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';
import { aTemporaryFolder } from '../../builders/system/temporary-folder.ts';

const layer = path.join(root, 'layers/ffmpeg');
const pinned = (file: string) => readFile(path.join(layer, file), 'utf8').then((text) => text.trim());

/**
 * Runs the script with an `apt-get` that records its arguments.
 *
 * @param mirrorHasIt false: packages are found only once the archive is among the sources
 */
async function install({ mirrorHasIt }: { mirrorHasIt: boolean }) {
  const folder = await aTemporaryFolder();
  const sources = path.join(folder, 'snapshot.list');
  const found = mirrorHasIt ? 'true' : `[ "$1" = update ] || [ -f ${sources} ]`;
  await writeFile(path.join(folder, 'apt-get'), `#!/bin/sh\necho "$@" >> ${folder}/calls\n${found}\n`);
  await chmod(path.join(folder, 'apt-get'), 0o755);
  await promisify(execFile)('sh', [path.join(layer, 'install.sh'), folder], {
    env: { PATH: `${folder}:/usr/bin:/bin` },
  });
  return {
    calls: (await readFile(path.join(folder, 'calls'), 'utf8')).trim().split('\n'),
    sources: await readFile(sources, 'utf8').catch(() => undefined),
  };
}

it('ffmpeg is installed in its pinned version from the mirror', async () => {
  const { calls, sources } = await install({ mirrorHasIt: true });
  const packages = `ffmpeg=${await pinned('version')} fonts-dejavu-core=${await pinned('fonts-version')}`;
  expect(calls).toEqual(['update', `install --yes --no-install-recommends ${packages}`]);
  expect(sources).toBeUndefined();
});

it("ffmpeg is installed from Debian's archive if the mirror has only a newer version", async () => {
  const { calls, sources } = await install({ mirrorHasIt: false });
  expect(calls.map((call) => call.split(' ')[0])).toEqual(['update', 'install', 'update', 'install']);
  expect(calls[3]).toBe(calls[1]);
  const time = await pinned('snapshot-time');
  expect(time).toMatch(/^\d{8}T\d{6}Z$/);
  expect(sources).toContain(`http://snapshot.debian.org/archive/debian/${time} trixie main`);
  expect(sources).toContain(
    `http://snapshot.debian.org/archive/debian-security/${time} trixie-security main`,
  );
});
