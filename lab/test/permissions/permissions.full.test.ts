// @module-tag nightly
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the journeys use every statement of every policy, and nothing is denied', async () => {
  const { stdout } = await promisify(execFile)('node', ['lab/permissions.ts', '--json'], {
    maxBuffer: 16 * 1024 * 1024,
  });
  const figures: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect(figures).toMatchObject({ unused: 0, denied: 0 });
}, 1_800_000);
