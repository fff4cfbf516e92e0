import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { queuedJobExample } from '../../core/api/job-examples.ts';
import { anApiKey } from '../builders/cli/run-cli.ts';
import { aStubApi } from '../builders/http/a-stub-api.ts';

const program = `${import.meta.dirname}/../../cli/bin.js`;

it('the program prints its result when standard error is closed', async () => {
  const { jobId } = queuedJobExample;
  const api = await aStubApi({
    [`POST /api/v1/jobs/${jobId}/retry`]: { status: 201, body: queuedJobExample },
  });
  const child = spawn(process.execPath, [program, 'retry', jobId], {
    env: { PATH: process.env.PATH, MEDIA_JOBS_URL: api.origin, MEDIA_JOBS_KEY: anApiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.destroy();
  const [out, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  await api.close();
  expect([exitCode, out]).toEqual([0, `${jobId}\n`]);
});
