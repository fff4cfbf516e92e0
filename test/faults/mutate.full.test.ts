import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = join(import.meta.dirname, 'mutate/mutate.ts');
const mostMs = 60 * 60_000;

it(
  'whichever guard is removed, the simulation or the suite of the tables notices',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: mostMs });
    expect(stdout).not.toContain('MISSED');
    expect(stdout).toMatch(/(\d+) of \1 removed guards were noticed\.\n$/);
  },
  mostMs,
);
