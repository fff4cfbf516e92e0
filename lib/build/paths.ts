import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** Contains `functions/<name>/index.js` and `images/transcode/`. */
export const buildDirectory = path.join(root, '.build');

/** Contains the built dashboard. */
export const dashboardDirectory = path.join(root, 'packages/dashboard/dist');

/** Contains the assembly of a stage: templates, asset manifests and assets. */
export function assemblyDirectory(stage: string): string {
  return path.join(root, 'cdk.out', stage);
}
