import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './paths.ts';

/** The folder of a stage's presets: that of its setting, else `presets` beside cdk.json if there is one. */
export function presetsFolder(setting: string | undefined): string | undefined {
  const folder = path.resolve(root, setting ?? 'presets');
  return setting === undefined && !existsSync(folder) ? undefined : folder;
}
