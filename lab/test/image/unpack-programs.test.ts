import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';

const run = promisify(execFile);
const read = (...names: string[]) => readFile(path.join(root, ...names), 'utf8').then((text) => text.trim());

/** Stands in for Debian's tools on a machine with amd64: packages contain two programs and a loader that names itself. */
const tools = {
  dpkg: 'echo amd64',
  'apt-get': `echo "$@" >> "$CALLS"
case $1 in
  install) touch "$(sed -n 's/^Dir::Cache "\\(.*\\)";/\\1/p' "$APT_CONFIG")/archives/ffmpeg.deb" ;;
  download) touch qemu-user_1.deb ;;
esac`,
  'dpkg-deb': `lib=$3/usr/lib/$TRIPLET
mkdir -p "$3/usr/bin" "$lib"
touch "$3/usr/bin/ffmpeg" "$3/usr/bin/ffprobe"
for program in "$lib/$LOADER" "$3/usr/bin/qemu-aarch64"; do printf '#!/bin/sh\\necho "$0 $@"\\n' > "$program"; chmod +x "$program"; done`,
};

async function unpack(architecture: string, { triplet, loader }: { triplet: string; loader: string }) {
  const folder = await aTemporaryFolder();
  const bin = path.join(folder, 'tools');
  await mkdir(bin);
  for (const [name, script] of Object.entries(tools)) {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(bin, name), 0o755);
  }
  const keyring = path.join(folder, 'keyring.gpg');
  await writeFile(keyring, '');
  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    CALLS: path.join(folder, 'calls'),
    KEYRING: keyring,
    TRIPLET: triplet,
    LOADER: loader,
  };
  const directory = path.join(folder, 'made');
  const script = path.join(root, 'lab/image/unpack-programs.sh');
  const { stdout } = await run('sh', [script, architecture, directory], { env });
  const calls = (await readFile(env.CALLS, 'utf8')).trim().split('\n');
  return { directory, stdout, calls, programs: await readdir(path.join(directory, 'bin')) };
}

it("another architecture's ffmpeg starts by the pinned qemu-user, with its own loader and libraries", async () => {
  const [triplet, loader] = ['aarch64-linux-gnu', 'ld-linux-aarch64.so.1'];
  const { directory, stdout, calls, programs } = await unpack('arm64', { triplet, loader });
  const version = await read('layers/ffmpeg/version');
  const fonts = await read('layers/ffmpeg/fonts-version');
  expect(calls).toEqual([
    'update',
    `install --yes --no-install-recommends ffmpeg=${version} fonts-dejavu-core=${fonts}`,
    `download qemu-user:amd64=${await read('lab/image/qemu-version')}`,
  ]);
  expect(programs.toSorted()).toEqual(['ffmpeg', 'ffprobe']);
  const libraries = `${directory}/root/usr/lib/${triplet}`;
  expect(stdout.trim()).toBe(
    `${directory}/emulator/usr/bin/qemu-aarch64 ${libraries}/${loader} --library-path ` +
      `${libraries}:${libraries}/blas:${libraries}/lapack:${libraries}/pulseaudio ` +
      `${directory}/root/usr/bin/ffmpeg -version`,
  );
});

it("this machine's architecture needs no emulator", async () => {
  const [triplet, loader] = ['x86_64-linux-gnu', 'ld-linux-x86-64.so.2'];
  const { directory, stdout, calls } = await unpack('amd64', { triplet, loader });
  expect(calls.filter((call) => call.startsWith('download'))).toEqual([]);
  expect(stdout).toMatch(new RegExp(`^${directory}/root/usr/lib/${triplet}/${loader} --library-path`));
});

it('an error names what is missing', async () => {
  const script = path.join(root, 'lab/image/unpack-programs.sh');
  const directory = await aTemporaryFolder();
  const failing = run('/bin/sh', [script, 'arm64', directory], { env: { PATH: '/usr/bin:/bin', KEYRING: '/none' } });
  await expect(failing).rejects.toThrow(/is missing: run/);
});
