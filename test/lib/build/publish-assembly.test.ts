import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, describe, expect, it } from 'vitest';
import { publishAssembly } from '../../../lib/build/synthesize.ts';

let directory: string;
const now = new Date('2026-03-01T12:00:00Z');
const hoursBefore = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

beforeEach(async () => {
  directory = await aTemporaryFolder();
  await assembly('old', { asset: 'a1', template: 'first' });
  await assembly('new', { asset: 'b2', template: 'second' });
});

async function assembly(name: string, { asset, template }: { asset: string; template: string }) {
  await mkdir(path.join(directory, name, `asset.${asset}`), { recursive: true });
  await writeFile(path.join(directory, name, `asset.${asset}`, 'index.js'), asset);
  await writeFile(path.join(directory, name, 'service.template.json'), template);
}

describe('publishing an assembly', () => {
  it('replaces the template, adds the assets, and keeps those of a running stage', async () => {
    await publishAssembly({ from: path.join(directory, 'new'), to: path.join(directory, 'old'), now });
    expect((await readdir(path.join(directory, 'old'))).toSorted()).toEqual([
      'asset.a1',
      'asset.b2',
      'service.template.json',
    ]);
    expect(await readFile(path.join(directory, 'old/service.template.json'), 'utf8')).toBe('second');
  });

  it('does not change an existing asset', async () => {
    await cp(path.join(directory, 'new/asset.b2'), path.join(directory, 'old/asset.b2'), { recursive: true });
    await publishAssembly({ from: path.join(directory, 'new'), to: path.join(directory, 'old'), now });
    expect(await readFile(path.join(directory, 'old/asset.b2/index.js'), 'utf8')).toBe('b2');
  });

  it.each([
    [23, true],
    [25, false],
  ])('%i hours after an old asset was made, keeps it: %s', async (hours, kept) => {
    const asset = path.join(directory, 'old/asset.a1');
    await utimes(asset, hoursBefore(hours), hoursBefore(hours));
    await publishAssembly({ from: path.join(directory, 'new'), to: path.join(directory, 'old'), now });
    expect(existsSync(asset)).toBe(kept);
  });

  it('keeps an asset of any age that the new assembly has too', async () => {
    const asset = path.join(directory, 'old/asset.b2');
    await cp(path.join(directory, 'new/asset.b2'), asset, { recursive: true });
    await utimes(asset, hoursBefore(1000), hoursBefore(1000));
    await publishAssembly({ from: path.join(directory, 'new'), to: path.join(directory, 'old'), now });
    expect(existsSync(asset)).toBe(true);
  });

  it('works without an existing assembly', async () => {
    await publishAssembly({ from: path.join(directory, 'new'), to: path.join(directory, 'first/of/all'), now });
    expect(await readdir(path.join(directory, 'first/of/all'))).toContain('service.template.json');
  });
});
