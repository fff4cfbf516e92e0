import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = join(import.meta.dirname, 'mutate/mutate.ts');
const maxMs = 60 * 60_000;

it(
  'the simulation or a suite of the tables fails for every removed guard',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: maxMs });
    expect(stdout).not.toContain('MISSED');
    expect(stdout).toMatch(/(\d+) of \1 removed guards were noticed\.\n$/);
  },
  maxMs,
);
