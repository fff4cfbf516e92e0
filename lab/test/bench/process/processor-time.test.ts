import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { measureUsage } from '../../../bench/harness/process/processor-time.ts';

const busySeconds = 0.3;
const busy = `while (process.cpuUsage().user < ${busySeconds * 1e6}) for (let n = 0; n < 1e6; n++);`;

it('the processor time includes the child processes that an act waits for, also concurrent ones', async () => {
  const run = () => promisify(execFile)(process.execPath, ['-e', busy]);
  const { processor } = await measureUsage(() => Promise.all([run(), run()]));
  expect(processor).toBeGreaterThanOrEqual(2 * busySeconds - 0.02);
});

it('the usage of an act has the elapsed time and its result', async () => {
  const { wall, result } = await measureUsage(() => promisify(execFile)('sleep', ['0.2']));
  expect(wall).toBeGreaterThanOrEqual(0.2);
  expect(result).toEqual({ stdout: '', stderr: '' });
});
