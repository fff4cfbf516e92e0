import { ending, testsOf } from '@media-jobs/testing/package-tests';
import { defineConfig } from 'vitest/config';

/** Folders whose tests share no state: their files run in one module cache, which saves most of their time. */
const sharedFolders = [
  ...['core', 'docs', 'layout'],
  ...['recipes', 'chunking', 'adapters', 'functions', 'suites', 'secret-scan'],
];

/** Records what the stages of these tests log and answer, and searches it for secrets after the last test. */
const scanned = {
  globalSetup: 'test/secret-scan/global-setup.ts',
  setupFiles: [ending, 'test/secret-scan/record-responses.ts'],
};

const stages = { maxWorkers: 2, isolate: false, testTimeout: 180_000, ...scanned };

export default defineConfig(({ mode }) => {
  const project = (name: string, folders: string[], options: object = {}) =>
    testsOf(name, { folders, mode, ...options });
  const tests = (folders: string[]) => folders.map((folder) => `test/${folder}`);
  return {
    test: {
      passWithNoTests: false,
      projects: [
        'packages/*',
        project('unit', tests(sharedFolders), {
          isolate: false,
          globalSetup: 'test/builders/storage/foreign-setup.ts',
        }),
        // 10,000 jobs under a virtual clock take a minute on a loaded machine.
        project('lab', ['lab/test'], { isolate: false, testTimeout: 600_000 }),
        project('stack', tests(['lib']), { isolate: false }),
        project('stage', tests(['local']), { isolate: false }),
        // Whole stages with real ffmpeg: two files at once, whatever the number of cores.
        project('browser', tests(['browser']), {
          ...stages,
          globalSetup: [stages.globalSetup, 'test/builders/dashboard/unpack-browser.ts'],
        }),
        project('journey', tests(['journeys', 'hostile', 'conformance', 'packages']), {
          ...stages,
          globalSetup: [stages.globalSetup, 'test/builders/storage/foreign-setup.ts'],
        }),
      ],
    },
  };
});
