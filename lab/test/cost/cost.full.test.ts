import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';
import { assumedSourceBytes, compressNames } from '../../bench/harness/economy/compress-figures.ts';
import { lastResults } from '../../bench/harness/figures/results.ts';

const run = promisify(execFile);
const cost = (...flags: string[]) => run(process.execPath, ['lab/cost.ts', ...flags], { cwd: root });

describe('npm run cost', () => {
  it('prints dollars per component and per thousand jobs, compared with other services', async () => {
    const { stdout } = await cost('--minutes', '1000', '--resolution', '1080p');
    for (const line of [/^transcoding +\$/m, /^webhook +\$/m, /^all +\$/m, /^Coconut +\$15\.00 +\$75\.00$/m]) {
      expect(stdout).toMatch(line);
    }
  });

  it.each([
    ['in a single pass', ['--resolution', '480p']],
    ['in 146 chunks, 3 at once as with default settings', ['--resolution', '2160p', '--minutes-per-job', '30']],
  ])('says that a job is encoded %s', async (how, flags) => {
    const { stdout } = await cost(...flags);
    expect(stdout).toMatch(new RegExp(String.raw`^A job of \d+ minutes takes [\d.]+ minutes, ${how}\.$`, 'm'));
  });

  it('warns of a job that a stage may reject, since its chunks are too long', async () => {
    const long = ['--resolution', '2160p', '--minutes-per-job', '240'];
    expect((await cost(...long)).stdout).toContain('The stage may reject it');
    expect((await cost(...long, '--memory', '10240')).stdout).not.toContain('reject');
  });

  it.each([
    [['--resolution', '8k'], '--resolution must be one of 480p, 720p, 1080p, 2160p.'],
    [['--memory', 'much'], '--memory must be a number.'],
    [['--minutes', '0'], '--minutes must be more than 0.'],
  ])('rejects %j in one sentence', async (wrong, sentence) => {
    await expect(cost(...wrong)).rejects.toMatchObject({ code: 1, stderr: `${sentence}\n` });
  });

  it.each([
    ['1080p', 'compress', 12],
    ['2160p', 'compress', 35],
    ['1080p', 'hls', 25],
  ])('prints that a thousand economy jobs of %s, %s, cost at most $%d, and what that assumes', async (...jobs) => {
    const [resolution, recipe, usd] = jobs;
    const workload = ['--minutes', '5000', '--minutes-per-job', '5', '--resolution', resolution, '--recipe', recipe];
    const { stdout } = await cost(...workload, '--speed', 'economy', '--json');
    const { usd: dollars, assumptions } = JSON.parse(stdout);
    expect(dollars.total).toBeLessThanOrEqual(usd);
    expect(assumptions).toMatchObject({ idle: 0.1, repeated: 0.08, startSeconds: 60, spotDate: '2026-09-28' });
  });

  it('assumes of compress what `bench -- economy` measured, within 10 %', async () => {
    const { stdout } = await cost('--minutes', '5', '--resolution', '1080p', '--speed', 'economy', '--json');
    const { vcpuSecondsPerSecond, outputBytes } = JSON.parse(stdout).assumptions;
    const measured = (name: string) =>
      lastResults().economy?.figures.find((figure) => figure.name === name)?.ratio ?? Number.NaN;
    for (const share of [
      measured(compressNames.processor) / vcpuSecondsPerSecond,
      (measured(compressNames.bytes) * assumedSourceBytes) / outputBytes,
    ]) {
      expect(Math.abs(share - 1)).toBeLessThanOrEqual(0.1);
    }
  });
});
