import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';

function runProgram(code: string) {
  const program = `import { runMain } from './lib/build/run-main.ts'; ${code}`;
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: root });
}

it('an error ends a program with its message, without the stack trace', async () => {
  await expect(runProgram(`await runMain(() => { throw new Error('No stage.'); });`)).rejects.toMatchObject({
    code: 1,
    stderr: 'No stage.\n',
  });
});

it('a program chooses the exit codes of a failure and of a result', async () => {
  const failing = `await runMain(async () => { throw new Error('No stage.'); }, { failureCode: 2 });`;
  await expect(runProgram(failing)).rejects.toMatchObject({ code: 2 });
  const unequal = `await runMain(async () => { process.exitCode = 3; });`;
  await expect(runProgram(unequal)).rejects.toMatchObject({ code: 3, stderr: '' });
});
