import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { writeImageContext } from '../../../lib/build/build-functions.ts';
import { root } from '../../../lib/build/paths.ts';
import { writeIfChanged } from '../../../lib/build/write-if-changed.ts';

it("the image context contains all files that the Dockerfile copies and the layers' scripts read", async () => {
  const outDirectory = await aTemporaryFolder();
  const bundleFile = path.join(outDirectory, 'bundle.js');
  await writeFile(bundleFile, 'exports.handler = () => {};');

  const names = ['index.js', 'encode-chunk.js', 'join-chunks.js', 'fargate-task.cjs'];
  const bundles = Object.fromEntries(names.map((name) => [name, bundleFile]));
  await writeImageContext({ root, bundles, outDirectory });

  const dockerfile = await readFile(path.join(outDirectory, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  const read: string[] = [];
  for (const layer of ['ffmpeg', 'vmaf', 'launcher']) {
    const script = await readFile(path.join(outDirectory, layer, 'build.sh'), 'utf8');
    read.push(...[...script.matchAll(/"\$layer\/([\w.]+)"/g)].map(([, name]) => `${layer}/${name}`));
  }
  expect(copied).toEqual([
    'ffmpeg/',
    'vmaf/',
    'launcher/',
    'runtime-client/',
    ...names,
    'start.sh',
    'take-credentials.cjs',
  ]);
  // A folder of sources takes the place of the download.
  const optional = 'vmaf/tree';
  expect(read.filter((file) => file !== optional)).toEqual([
    ...['ffmpeg/install.sh', 'ffmpeg/NOTICE.md', 'vmaf/source', 'vmaf/NOTICE.md'],
    ...['launcher/launcher.c', 'launcher/undumpable.c'],
  ]);
  for (const file of [...copied, ...read].filter((name) => name !== optional))
    expect(existsSync(path.join(outDirectory, file)), file).toBe(true);
});

it('the base image is fixed by its digest, from a registry without pull limits', async () => {
  const dockerfile = await readFile(path.join(root, 'functions/transcode/Dockerfile'), 'utf8');
  expect(dockerfile).toMatch(
    /^ARG BASE=public\.ecr\.aws\/docker\/library\/node:24[\d.]+-trixie-slim@sha256:[0-9a-f]{64}$/m,
  );
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(new Set(bases)).toEqual(new Set(['${BASE}']));
});

type LockedPackage = { version: string; integrity?: string; hasInstallScript?: true };

it('the runtime client comes from a lock file with a checksum of every package, and its install script may run', async () => {
  const folder = path.join(root, 'functions/transcode/runtime-client');
  const { packages } = JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8'));
  const { '': self, ...locked } = packages as Record<string, LockedPackage>;
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  expect(self).toMatchObject({ dependencies: manifest.dependencies });
  expect(locked['node_modules/aws-lambda-ric']?.version).toBe(manifest.dependencies['aws-lambda-ric']);
  for (const [name, { integrity }] of Object.entries(locked)) expect(integrity, name).toMatch(/^sha512-/);
  const compiled = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
  const allowed = Object.keys(manifest.allowScripts).map((name) => `node_modules/${name}`);
  expect(compiled.map(([name]) => name)).toEqual(allowed);
});

it('files of bundles and of the image are readable by every user, whatever the umask of the build', async () => {
  const outDirectory = await aTemporaryFolder();
  const bundleFile = path.join(outDirectory, 'bundle.js');
  await writeFile(bundleFile, 'exports.handler = () => {};', { mode: 0o600 });
  const image = path.join(outDirectory, 'image');
  await writeImageContext({ root, bundles: { 'index.js': bundleFile }, outDirectory: image });
  // The contents are up to date, the mode is not.
  await writeIfChanged(bundleFile, await readFile(bundleFile));
  const files = (await readdir(image, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  expect(files.length).toBeGreaterThan(6);
  for (const file of [...files, bundleFile]) expect((await stat(file)).mode & 0o777, file).toBe(0o644);
});

it('the image context keeps no file that was removed from its source, and unfinished ones of another build', async () => {
  const image = await aTemporaryFolder();
  await mkdir(path.join(image, 'ffmpeg'));
  for (const name of ['removed.sh', 'install.sh.4711']) await writeFile(path.join(image, 'ffmpeg', name), '');
  await writeImageContext({ root, bundles: {}, outDirectory: image });
  const sources = await readdir(path.join(root, 'layers/ffmpeg'));
  expect((await readdir(path.join(image, 'ffmpeg'))).toSorted()).toEqual([...sources, 'install.sh.4711'].toSorted());
});
