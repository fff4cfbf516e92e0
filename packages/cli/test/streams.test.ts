import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { queuedJobExample } from '@media-jobs/core/api';
import { expect, it } from 'vitest';
import { aStubApi } from './builders/a-stub-api.ts';
import { anApiKey } from './builders/run-cli.ts';

const program = `${import.meta.dirname}/../src/bin.js`;

it('the program prints its result when standard error is closed', async () => {
  const { jobId } = queuedJobExample;
  const api = await aStubApi({ [`POST /api/v1/jobs/${jobId}/retry`]: { status: 201, body: queuedJobExample } });
  const child = spawn(process.execPath, [program, 'retry', jobId], {
    env: { PATH: process.env.PATH, MEDIA_JOBS_URL: api.origin, MEDIA_JOBS_KEY: anApiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.destroy();
  const [out, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect([exitCode, out]).toEqual([0, `${jobId}\n`]);
});

it('the program says that the disk behind its standard output is full', async () => {
  await using full = await open('/dev/full', 'w');
  const child = spawn(process.execPath, [program, 'recipes'], { stdio: ['ignore', full.fd, 'pipe'] });
  if (child.stderr === null) throw new Error('Standard error is a pipe');
  const [err, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(err).toBe('ENOSPC: no space left on device, write\n');
  expect(exitCode).toBe(6);
});

it('a signal ends the program while it reads a secret from standard input', async () => {
  const child = spawn(process.execPath, [program, 'providers', 'rotate', 'sp_1', '--secret-file', '-'], {
    env: { PATH: process.env.PATH, MEDIA_JOBS_URL: 'http://127.0.0.1:1', MEDIA_JOBS_KEY: anApiKey },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  // More than a pipe holds: the program reads.
  await new Promise((resolve) => child.stdin.write(Buffer.alloc(4_000_000), resolve));
  child.kill('SIGTERM');
  const [err, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([exitCode, err]).toEqual([130, 'Interrupted.\n']);
});
