import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

type Block = { options: Record<string, string>; code: string };

/** The code blocks of a page with a target file. */
async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(root, page), 'utf8');
  return [...text.matchAll(/^```ts (.+)\n([\s\S]*?)^```$/gm)].map(([, info = '', code = '']) => ({
    options: Object.fromEntries(info.split(' ').map((option) => option.split('=', 2))),
    code,
  }));
}

/** Applies a block as the page tells its reader. */
async function follow({ options, code }: Block, project: string): Promise<void> {
  const { file, into, list } = options;
  if (file) return writeFile(join(project, file), code);
  if (!into) throw new Error(`Expected file= or into= in the info string of a block: ${code}`);
  const path = join(project, into);
  const before = await readFile(path, 'utf8');
  const start = new RegExp(`^(export )?const ${list}\\b.*[[{]\n`, 'm');
  const after = list ? before.replace(start, (line) => line + code) : code + before;
  if (after === before) throw new Error(`${into} has no list named ${list}`);
  await writeFile(path, after);
}

describe('the page on adding a recipe', () => {
  let project: string;

  beforeAll(async () => {
    project = await aTemporaryFolder();
    await cp(join(root, 'packages/video'), join(project, 'packages/video'), { recursive: true });
    for (const file of ['package.json', 'tsconfig.json', 'biome.json', '.gitignore'])
      await cp(join(root, file), join(project, file));
    await symlink(join(root, 'node_modules'), join(project, 'node_modules'));
    for (const block of await blocksOf('docs/extending.md')) await follow(block, project);
  });

  it('leads to a recipe that passes its own test and those of the registry', async () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const output = ['--reporter=json', '--outputFile=report.json'];
    const args = [vitest, 'run', ...output, 'test/encoded/preview.test.ts', 'test/recipes'];
    await run(process.execPath, args, { cwd: join(project, 'packages/video'), env: { PATH: process.env.PATH } });
    const report = JSON.parse(await readFile(join(project, 'packages/video/report.json'), 'utf8'));
    expect(report).toMatchObject({ success: true, numFailedTests: 0 });
    const names = report.testResults.flatMap((file: { assertionResults: { fullName: string }[] }) =>
      file.assertionResults.map(({ fullName }) => fullName),
    );
    expect(names).toContain('shows the first second, small');
    expect(names.filter((name: string) => name.startsWith('the recipe preview'))).not.toHaveLength(0);
  });

  it('leads to code that compiles', async () => {
    const config = {
      extends: './tsconfig.json',
      include: ['packages/video/src/recipes', 'packages/video/test/encoded/preview.test.ts'],
    };
    await writeFile(join(project, 'tsconfig.recipe.json'), JSON.stringify(config));
    const compiler = join(root, 'node_modules/.bin/tsc');
    await expect(run(compiler, ['-p', 'tsconfig.recipe.json'], { cwd: project })).resolves.toBeDefined();
  });

  it('leads to code without findings of the linter, once the imports of the registry are sorted', async () => {
    const biome = (...args: string[]) =>
      run(join(root, 'node_modules/.bin/biome'), ['check', ...args], { cwd: project });
    await biome('--write', 'packages/video/src/recipes/registry.ts');
    await expect(biome('packages/video/src/recipes', 'packages/video/test/encoded')).resolves.toBeDefined();
  });
});
