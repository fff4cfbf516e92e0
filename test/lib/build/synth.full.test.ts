import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';

const run = promisify(execFile);
const synth = (...flags: string[]) => run(process.execPath, ['lib/build/synth.ts', ...flags], { cwd: root });

describe('synth', () => {
  it('writes the assembly of a stage once', async () => {
    await synth('--stage', 'dev');
    const { stdout } = await synth('--stage', 'dev', '--json');
    const printed = JSON.parse(stdout);
    expect(printed).toEqual({ stage: 'dev', assemblyDirectory: path.join(root, 'cdk.out/dev'), cached: true });
    for (const stack of ['stateful', 'service']) {
      expect(existsSync(path.join(printed.assemblyDirectory, `${stack}.template.json`))).toBe(true);
    }
  });

  it('fails with one sentence and an exit code for an unknown stage', async () => {
    await expect(synth('--stage', 'prdo')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no stage "prdo" in cdk\.json .+\n$/),
    });
  });
});
