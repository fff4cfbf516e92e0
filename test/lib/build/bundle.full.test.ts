import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { bundle } from '../../../lib/build/bundle.ts';
import { entryOf } from '../../../lib/build/entries.ts';
import { root } from '../../../lib/build/paths.ts';

const createJob = { name: 'create-job', file: 'functions/submission/parts/create-job.ts' };
const notFound = { name: 'not-found', file: 'functions/not-found/handler.ts' };

/** Prints which files of a function are loaded at its start, and the answers to two requests. */
const loadedParts = `
const { handler } = require('./submission/index.js');
const atStart = Object.keys(require.cache).map((file) => require('node:path').basename(file));
(async () => {
  const unknown = await handler({ routeKey: 'GET /nothing' }).catch(String);
  const ofPart = await handler({ routeKey: 'GET /health' }).catch(({ stack }) => stack);
  console.log(JSON.stringify({ atStart, unknown, ofPart }));
})();`;

describe('a bundle', () => {
  it('is one CommonJS file that exports the handler', async () => {
    const outDirectory = await aTemporaryFolder();
    await bundle({ root, entries: [notFound], outDirectory });
    const { handler } = createRequire(import.meta.url)(path.join(outDirectory, 'not-found/index.js'));
    expect(await readdir(path.join(outDirectory, 'not-found'))).toEqual(['index.js']);
    expect(handler).toBeTypeOf('function');
  });

  it('of a function with parts loads the part of a route at its first request', async () => {
    const outDirectory = await aTemporaryFolder();
    await bundle({ root, entries: [entryOf('submission')], outDirectory });
    const { stdout } = spawnSync(process.execPath, ['-e', loadedParts], { cwd: outDirectory, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual({
      atStart: ['index.js'],
      unknown: 'Error: The function has no route GET /nothing',
      // Outside a stage, the part ends at the first variable that it lacks.
      ofPart: expect.stringMatching(/submission\/catalogue\.js/),
    });
  });

  it('of a program without exports has the program', async () => {
    const outDirectory = await aTemporaryFolder();
    const fargateTask = { name: 'fargate-task', file: 'functions/fargate-task/handler.ts' };
    await bundle({ root, entries: [fargateTask], outDirectory });
    const file = path.join(outDirectory, 'fargate-task/index.js');
    const { status, stderr } = spawnSync(process.execPath, [file], { env: {}, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('The environment variables of this function are invalid'),
    });
  });

  it('is reproducible, byte for byte', async () => {
    const [first, second] = [await aTemporaryFolder(), await aTemporaryFolder()];
    for (const outDirectory of [first, second]) await bundle({ root, entries: [createJob], outDirectory });
    const read = (outDirectory: string) => readFile(path.join(outDirectory, 'create-job/index.js'));
    expect((await read(first)).equals(await read(second))).toBe(true);
  });

  it('takes credentials from the environment only, and has what its function needs of the rest', async () => {
    const outDirectory = await aTemporaryFolder();
    await bundle({ root, entries: [createJob], outDirectory });
    const code = await readFile(path.join(outDirectory, 'create-job/index.js'), 'utf8');
    expect(code).toContain('AWS_SECRET_ACCESS_KEY');
    expect(code).not.toMatch(/sso_start_url|AWS_CONTAINER_AUTHORIZATION_TOKEN|AWS_WEB_IDENTITY_TOKEN_FILE/);
    // No shared config files.
    expect(code).not.toMatch(/AWS_CONFIG_FILE|AWS_SHARED_CREDENTIALS_FILE/);
    // Modules of Node are loaded by require, which keeps their lazy parts unloaded.
    expect(code).not.toMatch(/\bimport\(/);
    // A function that plans nothing has the contracts of recipes only.
    expect(code).toContain('Draws an image, such as a logo');
    expect(code).not.toMatch(/libx264|filter_complex|palettegen/);
  });

  it('interprets its schemas', async () => {
    const outDirectory = await aTemporaryFolder();
    await writeFile(
      path.join(outDirectory, 'schema.ts'),
      `import * as z from '${path.join(root, 'node_modules/zod/index.js')}';\nexport const handler = z.config();`,
    );
    const entries = [{ name: 'schema', file: 'schema.ts' }];
    await bundle({ root: outDirectory, entries, outDirectory: path.join(outDirectory, 'out') });
    const { handler } = createRequire(import.meta.url)(path.join(outDirectory, 'out/schema/index.js'));
    expect(handler).toMatchObject({ jitless: true });
  });

  it('of a removed function is removed', async () => {
    const outDirectory = await aTemporaryFolder();
    await mkdir(path.join(outDirectory, 'old-route'));
    await bundle({ root, entries: [notFound], outDirectory });
    expect(await readdir(outDirectory)).toEqual(['not-found']);
  });

  it('that cannot be built fails with file and reason', async () => {
    const broken = await aTemporaryFolder();
    await writeFile(path.join(broken, 'broken.ts'), "import './missing.ts';");
    const building = bundle({
      root: broken,
      entries: [{ name: 'broken', file: 'broken.ts' }],
      outDirectory: path.join(broken, 'out'),
    });
    await expect(building).rejects.toThrow(/broken\.ts:1:7: ERROR: Could not resolve ".\/missing\.ts"/);
  });
});
