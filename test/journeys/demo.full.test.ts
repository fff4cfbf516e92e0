// @module-tag jobs
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { anAssemblyWithout } from '../builders/stage/changed-assembly.ts';

/** Runs the demo as a newcomer does. */
async function demo(...args: string[]): Promise<{ exitCode: number | null; out: string; stderr: string }> {
  const child = spawn(process.execPath, ['lib/local/demo.ts', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exitCode: await exited, out, stderr };
}

it('the demo compresses a generated clip and prints the result as JSON', async () => {
  const { exitCode, out, stderr } = await demo('--json');
  expect(exitCode, stderr).toBe(0);
  const result = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
  expect(result).toEqual({
    jobId: expect.any(String),
    state: 'completed',
    inputBytes: expect.any(Number),
    outputBytes: (await stat(result.outputPath)).size,
    seconds: expect.any(Number),
    ffmpegSeconds: expect.any(Number),
    webhook: { attempts: 1, verified: true },
    outputPath: expect.stringContaining(result.jobId),
    output_files: { output: expect.objectContaining({ width: 1280, height: 720, codec: 'h264' }) },
  });
  expect(result.outputBytes).toBeLessThan(result.inputBytes);
});

it.each([
  [['./no-such-film.mov'], /There is no file at .*no-such-film\.mov\./],
  [['--crf', '99'], /Must be at most 51/],
  [['package.json'], /The job was rejected: The input is not a media file/],
])('the demo with %j prints the reason and exits with 1', async (args, reason) => {
  const { exitCode, stderr } = await demo(...args);
  expect(stderr).toMatch(reason);
  expect(exitCode).toBe(1);
});

it('the demo prints why the service fails a job for good', async () => {
  const { exitCode, stderr } = await demo('--assembly', await anAssemblyWithout('s3:PutObject'));
  expect(stderr).toMatch(/\[permissions\] .*is not authorized to perform: s3:PutObject on resource: .*\/jobs\//);
  expect(stderr).toMatch(/The job was failed: .*AWS rejected the request \(AccessDenied\)/);
  expect(stderr).not.toContain('try again');
  expect(exitCode).toBe(1);
});
