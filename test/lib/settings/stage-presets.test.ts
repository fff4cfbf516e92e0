import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { readStagePresets, resolveStagePresets } from '../../../lib/settings/stage-presets.ts';

const now = new Date('2026-11-21T09:00:00Z');
const request = { mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'compress' } };

async function aFolder(files: Record<string, unknown>) {
  const folder = await aTemporaryFolder();
  const write = (name: string, value: unknown) => writeFile(path.join(folder, name), JSON.stringify(value));
  for (const [name, value] of Object.entries(files)) await write(name, value);
  return { folder, write };
}

it('the resolved files of a folder are deployed, and written once', async () => {
  const { folder, write } = await aFolder({ 'course@1.json': { title: 'Course', request } });
  expect(() => readStagePresets(folder)).toThrow('course@1.json has no resolved file beside it: run npm run presets.');
  expect(resolveStagePresets(folder, now)).toEqual(['course@1.resolved.json']);
  expect(readStagePresets(folder)).toMatchObject([
    { name: 'course', version: 1, source: 'stage', request: { recipe: { name: 'compress', crf: 28 } } },
  ]);
  expect(resolveStagePresets(folder, new Date(0))).toEqual([]);
  await write('course@1.json', { title: 'Course', retired: true, request });
  expect(() => readStagePresets(folder)).toThrow('course@1.json: retired: Does not follow from the file');
  resolveStagePresets(folder, new Date(0));
  const resolved = JSON.parse(await readFile(path.join(folder, 'course@1.resolved.json'), 'utf8'));
  expect(resolved).toMatchObject({ retired: true, createdAt: now.toISOString() });
  await rm(path.join(folder, 'course@1.json'));
  expect(() => readStagePresets(folder)).toThrow('course@1.resolved.json is of no preset: remove it.');
});

it.each([
  ['course@1.json', { title: 'Course', request: { ...request, recipe: { name: 'compress', crf: 90 } } }, 'recipe.crf'],
  ['course@1.json', { title: 'Course', request, colour: 1 }, 'course@1.json: colour: Unknown field'],
  ['Course.json', { title: 'Course', request }, 'the name must be such as course@2.json'],
])('the file %s that is wrong is not deployed, and the error names it', async (name, preset, message) => {
  const { folder } = await aFolder({ [name]: preset });
  expect(() => resolveStagePresets(folder, now)).toThrow(message);
  expect(await readdir(folder)).toEqual([name]);
});

it('a folder that the setting names must be there', () => {
  expect(() => readStagePresets('/nowhere')).toThrow('Setting "presets": /nowhere could not be read.');
});
