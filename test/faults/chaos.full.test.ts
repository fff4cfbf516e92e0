import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = join(import.meta.dirname, 'chaos/chaos.ts');

it('200 real jobs all end, each with one event, on a stage with faults that is killed three times', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--jobs', '200', '--json']);
  expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    jobs: 200,
    ended: 200,
    withoutOneEvent: 0,
    unreadableFiles: 0,
    crashes: 3,
  });
});
