import { fileURLToPath } from 'node:url';
import type { UserWorkspaceConfig } from 'vitest/config';
import { testTags } from './test-tags.ts';

/** Ends what the tests of a file use: temporary folders, servers, stages. */
export const ending = fileURLToPath(import.meta.resolve('./end-after-use.ts'));

/**
 * The vitest project of a folder of tests. `vitest run` runs all but `*.full.test.ts`, the large matrices;
 * `vitest run --mode full` runs only those.
 *
 * @param folders relative to `root`
 */
export function testsOf(
  name: string,
  {
    root,
    folders,
    mode,
    ...options
  }: { root?: string; folders: readonly string[]; mode: string; [option: string]: unknown },
): { test: NonNullable<UserWorkspaceConfig['test']> } {
  const isFull = mode === 'full';
  return {
    test: {
      ...(root === undefined ? {} : { root }),
      name,
      include: folders.map((folder) => `${folder}/**/*.${isFull ? 'full.test.ts' : 'test.ts'}`),
      exclude: isFull ? [] : ['**/*.full.test.ts'],
      testTimeout: isFull ? 600_000 : 60_000,
      hookTimeout: 120_000,
      setupFiles: [ending],
      tags: testTags,
      // The default leaves one core free: half of a machine that has two.
      maxWorkers: '100%',
      // A loaded machine is slow: poll for longer than a quiet one needs.
      expect: { poll: { timeout: 30_000 } },
      ...options,
    },
  };
}
