import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pythonWith } from '@media-jobs/testing/python-packages';
import { root } from '../../lib/build/paths.ts';

/** The Python interpreter with the programs of lab/requirements.txt; undefined, with a warning, if they cannot be installed. */
export async function judges(): Promise<string | undefined> {
  const requirements = await readFile(path.join(root, 'lab/requirements.txt'), 'utf8');
  try {
    return path.resolve(await pythonWith('judges', requirements.trim().split('\n')));
  } catch (error) {
    console.warn(`Skipped: the programs of lab/requirements.txt cannot be installed: ${error}`);
    return undefined;
  }
}
