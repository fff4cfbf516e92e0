import path from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Replaces modules of `lib/build` by those of a package, which contains what a checkout builds.
 *
 * @param modules the code of each, by the name of its file
 */
export function packagedParts(modules: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'packaged-parts',
    setup({ onLoad }) {
      const filter = new RegExp(`/lib/build/(${Object.keys(modules).join('|')})\\.ts$`);
      onLoad({ filter }, ({ path: file }) => ({ contents: modules[path.basename(file, '.ts')] ?? '' }));
    },
  };
}
