import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** Where the build puts `functions/<name>/index.js` and `images/transcode/`. */
export const buildDirectory = path.join(root, '.build');

/** Where the dashboard is built to. */
export const dashboardDirectory = path.join(root, 'dashboard', 'dist');

/** Where the assembly of a stage is written: templates, asset manifests and assets. */
export function assemblyDirectory(stage: string): string {
  return path.join(root, 'cdk.out', stage);
}
