import { defineConfig } from 'vitest/config';

/** Folders whose tests share no state: their files run in one module cache, which saves most of their time. */
const sharedFolders = [
  ...['core', 'formatting', 'client', 'cli', 'dashboard', 'docs', 'layout', 'bench'],
  ...['recipes', 'chunking', 'adapters', 'functions', 'suites', 'secret-scan'],
];

const removal = 'test/builders/system/remove-temporary-folders.ts';

/** Records what the stages of these tests log and answer, and searches it for secrets after the last test. */
const scanned = {
  globalSetup: 'test/secret-scan/global-setup.ts',
  setupFiles: [removal, 'test/secret-scan/record-responses.ts'],
};

const stages = { maxWorkers: 2, isolate: false, testTimeout: 180_000, ...scanned };

/** `vitest run` runs all but `*.full.test.ts`, the large matrices; `vitest run --mode full` runs only those. */
export default defineConfig(({ mode }) => {
  const isFull = mode === 'full';
  const suffix = isFull ? 'full.test.ts' : 'test.ts';
  const exclude = isFull ? [] : ['**/*.full.test.ts'];
  const project = (name: string, folders: string[], options: object = {}) => ({
    test: {
      name,
      include: folders.map((folder) => `test/${folder}/**/*.${suffix}`),
      exclude,
      testTimeout: isFull ? 600_000 : 60_000,
      hookTimeout: 120_000,
      setupFiles: [removal],
      // The default leaves one core free: half of a machine that has two.
      maxWorkers: '100%',
      // A loaded machine is slow: poll for longer than a quiet one needs.
      expect: { poll: { timeout: 30_000 } },
      ...options,
    },
  });
  return {
    test: {
      passWithNoTests: false,
      projects: [
        project('unit', sharedFolders, { isolate: false }),
        // 10,000 jobs under a virtual clock take a minute on a loaded machine.
        project('faults', ['faults'], { testTimeout: 600_000 }),
        project('stack', ['lib', 'scripts'], { isolate: false }),
        project('stage', ['local'], { isolate: false }),
        // Whole stages with real ffmpeg: two files at once, whatever the number of cores.
        project('browser', ['browser'], {
          ...stages,
          globalSetup: [stages.globalSetup, 'test/builders/dashboard/unpack-browser.ts'],
        }),
        project('journey', ['journeys', 'hostile', 'conformance'], stages),
      ],
    },
  };
});
