// @module-tag nightly
// @module-tag jobs
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = join(import.meta.dirname, '../../simulation/simulate.ts');

it('npm run simulate reaches every call of the apps, and its last line is its figures', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [program, '--jobs', '300', '--seed', '5', '--json']);
  expect(stdout).not.toContain('NOT REACHED');
  expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toEqual({
    seed: 5,
    jobs: 300,
    lost: 0,
    duplicateTerminalWrites: 0,
    illegalTransitions: 0,
    orphanedObjects: 0,
    postsOverThree: 0,
    maxRecoverySeconds: expect.any(Number),
    jobsPerSecond: expect.any(Number),
    spotJobs: 300,
    spotInterruptions: expect.any(Number),
    spotLost: 0,
    spotEndedTwice: 0,
    spotRepeatedPercent: expect.any(Number),
  });
});
