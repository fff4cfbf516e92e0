import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '../../lib/build/paths.ts';
import manifest from '../../package.json' with { type: 'json' };

const described = [
  ...(['start', 'demo', 'synth', 'image', 'deploy:preflight', 'deploy:check', 'conformance'] as const),
  ...(['first-key', 'reproduce', 'cost', 'prices', 'bench', 'simulate', 'chaos'] as const),
];

it.each(described)(
  'npm run %s says with --help what it does and takes',
  { timeout: 60_000 },
  async (name) => {
    const [, file = ''] = manifest.scripts[name].split(' ');
    const { stdout } = await promisify(execFile)(process.execPath, [file, '--help'], { cwd: root });
    expect(stdout).toMatch(new RegExp(`npm (run )?${name}\\b`));
  },
);
