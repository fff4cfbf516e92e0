import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';

const run = promisify(execFile);
const cost = (...flags: string[]) => run(process.execPath, ['scripts/cost.ts', ...flags], { cwd: root });

describe('npm run cost', () => {
  it('prints dollars per component and per thousand jobs, compared with other services', async () => {
    const { stdout } = await cost('--minutes', '1000', '--resolution', '1080p');
    for (const line of [
      /^transcoding +\$/m,
      /^webhook +\$/m,
      /^all +\$/m,
      /^Coconut +\$15\.00 +\$75\.00$/m,
    ]) {
      expect(stdout).toMatch(line);
    }
  });

  it('warns of a job that exceeds the time limit of a function', async () => {
    const { stdout } = await cost('--resolution', '2160p', '--minutes-per-job', '30');
    expect(stdout).toContain('That exceeds the time limit of a function');
  });

  it.each([
    [['--resolution', '8k'], '--resolution must be one of 480p, 720p, 1080p, 2160p.'],
    [['--memory', 'much'], '--memory must be a number.'],
    [['--minutes', '0'], '--minutes must be more than 0.'],
  ])('rejects %j in one sentence', async (wrong, sentence) => {
    await expect(cost(...wrong)).rejects.toMatchObject({ code: 1, stderr: `${sentence}\n` });
  });
});
