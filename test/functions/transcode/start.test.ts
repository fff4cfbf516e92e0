import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../../../lib/build/paths.ts';

/** Runs the entry point of the image with a `node` that prints what it gets. */
async function start(handler: string, environment: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'media-jobs-start-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const node = path.join(folder, 'node');
  await writeFile(node, '#!/bin/sh\necho "$_HANDLER $LAMBDA_TASK_ROOT $*"\n');
  await chmod(node, 0o755);
  const script = path.join(root, 'functions/transcode/start.sh');
  const env = { PATH: `${folder}:/usr/bin:/bin`, ...environment };
  const { stdout } = await promisify(execFile)('sh', [script, handler], { env });
  return stdout.trim();
}

const client = 'node_modules/aws-lambda-ric/index.mjs';

it('the image gives the runtime client the handler of the command, which Lambda passes as an argument', async () => {
  expect(await start('encode-chunk.handler')).toBe(`encode-chunk.handler /var/task /var/task/${client}`);
});

it('the variables of Lambda take precedence', async () => {
  const environment = { _HANDLER: 'index.handler', LAMBDA_TASK_ROOT: '/task' };
  expect(await start('other.handler', environment)).toBe(`index.handler /task /task/${client}`);
});
