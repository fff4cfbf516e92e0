import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';

const layer = path.join(root, 'layers/ffmpeg');
const pinned = (file: string) => readFile(path.join(layer, file), 'utf8').then((text) => text.trim());

/**
 * Stands in for apt, which considers only the newest version of a dependency in all its sources: the pinned packages can be
 * installed from the archive only if the mirror is not among them.
 */
const aptGet = `#!/bin/sh
echo "$@" >> calls
parts=mirror list=
for option; do
  case $option in
    Dir::Etc::sourcelist=*) list=\${option#*=} ;;
    Dir::Etc::sourceparts=/dev/null) parts= ;;
  esac
done
case "$*" in
  indextargets*) echo debian.sources:1 ;;
  *update) echo "$parts $list" > updated ;;
  *install*)
    [ "$(cat updated)" = "$parts $list" ] || exit 100
    if [ -n "$list" ]; then cp "$list" sources; fi
    [ -f mirror-has-it ] || [ -z "$parts" ] || exit 100 ;;
esac
`;

/**
 * Runs the script.
 *
 * @param mirrorHasIt false: only the archive has the pinned packages
 * @param mirror the sources of this machine
 */
async function install({ mirrorHasIt, mirror = '' }: { mirrorHasIt: boolean; mirror?: string }) {
  const folder = await aTemporaryFolder();
  await writeFile(path.join(folder, 'apt-get'), aptGet);
  await chmod(path.join(folder, 'apt-get'), 0o755);
  await writeFile(path.join(folder, 'debian.sources'), mirror);
  if (mirrorHasIt) await writeFile(path.join(folder, 'mirror-has-it'), '');
  await promisify(execFile)('sh', [path.join(layer, 'install.sh')], {
    cwd: folder,
    env: { PATH: `${folder}:/usr/bin:/bin`, TMPDIR: folder },
  });
  return {
    calls: (await readFile(path.join(folder, 'calls'), 'utf8')).trim().split('\n'),
    sources: await readFile(path.join(folder, 'sources'), 'utf8').catch(() => undefined),
  };
}

it('ffmpeg is installed in its pinned version from the mirror', async () => {
  const { calls, sources } = await install({ mirrorHasIt: true });
  const packages = `ffmpeg=${await pinned('version')} fonts-dejavu-core=${await pinned('fonts-version')}`;
  expect(calls).toEqual(['update', `install --yes --no-install-recommends ${packages}`]);
  expect(sources).toBeUndefined();
});

const keyring = '/usr/share/keyrings/debian-archive-keyring.pgp';
const oneLine = 'http://deb.debian.org/debian trixie main\n';
const stanza = 'Types: deb\nURIs: http://deb.debian.org/debian\nSuites: trixie\nComponents: main\n';

it.each([
  [
    'the keyring of a stanza',
    `${stanza}Signed-By: ${keyring}\n\n${stanza}Signed-By: /other\n`,
    ` signed-by=${keyring}`,
  ],
  ['the keyring of a line', `deb [arch=amd64 signed-by=${keyring}] ${oneLine}`, ` signed-by=${keyring}`],
  ["apt's own keyrings", `deb ${oneLine}`, ''],
])("ffmpeg comes from Debian's archive alone if the mirror has a newer one, with %s", async (_, mirror, option) => {
  const { calls, sources } = await install({ mirrorHasIt: false, mirror });
  const inArchive = calls.slice(3).map((call) => /^-o Dir::Etc::sourcelist=(\S+) -o \S+ (.*)$/.exec(call));
  expect(inArchive.map((match) => match?.[2])).toEqual(calls.slice(0, 2));
  const time = await pinned('snapshot-time');
  expect(time).toMatch(/^\d{8}T\d{6}Z$/);
  const archive = `deb [check-valid-until=no${option}] http://snapshot.debian.org/archive`;
  expect(sources?.trim().split('\n')).toEqual([
    `${archive}/debian/${time} trixie main`,
    `${archive}/debian-security/${time} trixie-security main`,
  ]);
  expect(existsSync(inArchive[0]?.[1] ?? '')).toBe(false);
});
