import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { planCost } from '../../../src/cost-model/plan-cost.ts';
import { argumentTexts } from '../../../src/media/ffmpeg/command.ts';
import { CommandArgumentError, commandArguments } from '../../../src/recipes/command/command-arguments.ts';
import { planRecipe, recipeRequestSchema, recipes, storedRecipeSchema } from '../../../src/recipes/registry.ts';
import { aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { clipWith } from '../../builders/media/clips.ts';
import { anEncoder, encode } from '../../builders/recipes/encode.ts';
import { harmlessArguments, hostileArguments } from './hostile-arguments.ts';

const parameters = {
  strength: { type: 'integer', min: 0, max: 100, default: 12 },
  look: { type: 'enum', values: ['all', 'Q1'], default: 'all' },
  title: { type: 'string', default: 'Grain' },
} as const;
const grain = {
  inputs: ['{input}'] as ['{input}'],
  arguments: [
    ...['-vf', "scale=w=320:h=-2,noise=alls={strength}:allf='t+u',format=pix_fmts='yuv420p'"],
    ...['-c:v', 'libx264', '-crf', '30', '-preset', 'veryfast', '-metadata', 'title={title}', '-an'],
  ],
  outputs: ['{output}.mp4'] as [string],
  parameters,
};
const textsOf = (args: string[], values = {}) => argumentTexts(commandArguments({ arguments: args }, values));

describe('a hostile argument', () => {
  it('is in a table of 200 lists', () => expect(hostileArguments.length).toBeGreaterThan(200));

  it.each(hostileArguments.map((list) => [list]))('is found in %j', (list) => {
    const check = () => commandArguments({ arguments: list }, { option: '-i' });
    expect(check).toThrow(CommandArgumentError);
    expect(check).toThrow(expect.objectContaining({ index: expect.any(Number) }));
  });

  it.each(['-i', 'a;movie', "a'", 'a:b', '../a', '{title}', ' a', 'a\n', '', 'é'])('is no value: %j', (title) => {
    const { error } = storedRecipeSchema.safeParse({ name: 'command', command: grain, title });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['title']);
  });
});

it('a placeholder is part of one value, and the graph is written as it was understood', () => {
  expect(textsOf(['-vf', "crop=w='min(iw,{size})':h=ih,pan=args='stereo|c0=FL'"], { size: 64 })).toEqual([
    '-vf',
    "crop=w='min(iw,64)':h='ih',pan=args='stereo|c0=FL'",
  ]);
  expect(
    textsOf(['-filter_complex', '[0:v]split=outputs=2[a][b];[a][b]hstack=inputs=2[out]', '-map', '[out]']),
  ).toEqual([...['-filter_complex', "[0:v]split=outputs='2'[a][b];[a][b]hstack=inputs='2'[out]", '-map', '[out]']]);
});

it('no request can be a command, and no list of recipes has it', () => {
  expect(recipeRequestSchema.safeParse({ name: 'command', command: grain }).success).toBe(false);
  expect(recipes.map(({ name }) => String(name))).not.toContain('command');
});

it('costs what its filters and its encoder cost in a recipe', () => {
  const probe = aProbe([aVideoStream({ width: 1920, height: 1080 })]);
  const plan = (recipe: object) =>
    planRecipe(storedRecipeSchema.parse(recipe), { probe, format: 'mp4', inputPath: '/in', outputDirectory: '/out' });
  const args = ['-vf', 'scale=w=1280:h=720', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '28', '-an'];
  const ofCommand = planCost(plan({ name: 'command', command: { ...grain, arguments: args, parameters: {} } }), [
    { path: '/in', probe },
  ]);
  const ofRecipe = planCost(plan({ name: 'compress', preset: 'veryfast', crf: 28, maxWidth: 1280 }), [
    { path: '/in', probe },
  ]);
  expect(ofCommand.cpuSeconds / ofRecipe.cpuSeconds).toBeGreaterThan(0.8);
  expect(ofCommand.cpuSeconds / ofRecipe.cpuSeconds).toBeLessThan(1.2);
  expect([...ofCommand.encoders]).toEqual(['libx264']);
});

describe('the file of a command', () => {
  it('has what the arguments say, and is probed', async () => {
    const recipe = { name: 'command', command: grain, strength: 60 };
    const [output] = await encode(await clipWith(), 'mp4', recipe as never);
    expect(output?.probe.streams).toMatchObject([{ kind: 'video', codec: 'h264', width: 320 }]);
  });

  it.each(harmlessArguments.map((list) => [list]))('is all that %j reads or writes', async (list) => {
    const sandbox = await aTemporaryFolder();
    const outputDirectory = join(sandbox, 'job');
    await mkdir(outputDirectory);
    await writeFile(join(sandbox, 'secret'), 'canary-5d1f');
    const inputPath = await clipWith();
    const encoder = anEncoder();
    const run = {
      directory: outputDirectory,
      signal: new AbortController().signal,
      timeLimitSeconds: 60,
      stallSeconds: 30,
    };
    const probe = await encoder.probe(inputPath, run);
    const recipe = storedRecipeSchema.parse({
      name: 'command',
      command: { ...grain, arguments: list, parameters: {} },
    });
    const plan = planRecipe(recipe, { probe, format: 'mp4', inputPath, outputDirectory });
    if (!('commands' in plan) || plan.commands[0] === undefined) throw new Error('a command');
    await encoder.run(plan.commands[0], run);
    expect((await readdir(sandbox, { recursive: true })).sort()).toEqual(['job', 'job/output.mp4', 'secret']);
    expect((await readFile(join(outputDirectory, 'output.mp4'))).includes('canary-5d1f')).toBe(false);
  });
});
