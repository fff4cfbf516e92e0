import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stage } from '@media-jobs/local-stage';

/** Writes what the policies of a stage allowed into the folder that `npm run permissions` names, if it runs the test. */
export async function recordPermissions({ permissions }: Pick<Stage, 'permissions'>): Promise<void> {
  const directory = process.env.PERMISSIONS_REPORT_DIRECTORY;
  if (directory === undefined) return;
  await writeFile(join(directory, `${randomUUID()}.json`), JSON.stringify(permissions()));
}
