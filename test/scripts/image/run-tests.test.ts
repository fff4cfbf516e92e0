import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';
import type { StartOptions } from '../../../scripts/image/command-lines.ts';
import { runTests } from '../../../scripts/image/run-tests.ts';

type Started = StartOptions & { command: readonly string[] };

/** A container whose commands end with these codes, in turn. */
function aContainer(codes: number[]) {
  const started: Started[] = [];
  return {
    started,
    start(command: readonly string[], options: StartOptions = {}) {
      started.push({ command, ...options });
      return spawn(process.execPath, ['-e', `process.exit(${codes.shift()})`]);
    },
    close: async () => {},
  };
}

it('tests in the image use its programs, and the repository read-only', async () => {
  const container = aContainer([0, 0]);
  await runTests(container, []);
  const [fast, full] = container.started;
  expect(fast).toMatchObject({
    directory: root,
    volumes: expect.arrayContaining([`${root}:${root}:ro`]),
    environment: { FFMPEG_PATH: '/opt/bin/ffmpeg', VMAF_PATH: '/opt/bin/vmaf' },
  });
  expect(fast?.command).toEqual(expect.arrayContaining(['test/recipes', 'test/chunking']));
  expect(full?.command.join(' ')).toContain('--mode full');
});

it('a failed test in the image fails the command after the other tests have run', async () => {
  const container = aContainer([1, 0]);
  await expect(runTests(container, ['test/a.test.ts', 'test/b.full.test.ts'])).rejects.toThrow(
    'Tests failed in the image: test/a.test.ts',
  );
  expect(container.started).toHaveLength(2);
});
