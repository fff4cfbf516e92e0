import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { root } from '../../lib/build/paths.ts';

const schema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      /** Part of the package above it, whose checksum includes it. */
      inBundle: z.boolean().default(false),
      optional: z.boolean().default(false),
      dev: z.boolean().default(false),
      /** Of a package of this project. */
      link: z.boolean().default(false),
    }),
  ),
});

async function packagesOf(file: string) {
  const { packages } = schema.parse(JSON.parse(await readFile(path.join(root, file), 'utf8')));
  return Object.entries(packages)
    .filter(([location, { link }]) => location.includes('node_modules/') && !link)
    .map(([location, content]) => ({ name: location.split('node_modules/').at(-1) ?? '', ...content }));
}

it('every package has a checksum, except optional ones that docs/upgrading.md names', async () => {
  const packages = await packagesOf('package-lock.json');
  const unchecked = packages.filter(({ integrity, inBundle }) => integrity === undefined && !inBundle);
  expect(unchecked.filter(({ optional, dev }) => !optional || !dev)).toEqual([]);
  const docs = await readFile(path.join(root, 'docs/upgrading.md'), 'utf8');
  const [, section = ''] = /<!-- packages without a checksum -->(.*?)<!-- end -->/s.exec(docs) ?? [];
  const named = [...section.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect(unchecked.map(({ name }) => name).toSorted()).toEqual(named.toSorted());
  expect(packages.length - unchecked.length).toBeGreaterThan(500);
});

it('every package of the image has a checksum', async () => {
  const packages = await packagesOf('functions/transcode/runtime-client/package-lock.json');
  expect(packages.filter(({ integrity }) => integrity === undefined)).toEqual([]);
  expect(packages.length).toBeGreaterThan(0);
});

it.each(['package-lock.json', 'functions/transcode/runtime-client/package-lock.json'])(
  '%s names no registry',
  async (file) => expect((await packagesOf(file)).filter(({ resolved }) => resolved !== undefined)).toEqual([]),
);
