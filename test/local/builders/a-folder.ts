import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder. */
export function aFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'stage-'));
}
