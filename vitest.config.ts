import { defineConfig } from 'vitest/config';

/** Rooms whose tests need nothing but themselves: values, stand-ins, one emulator or one program. */
const unitRooms = [
  'core',
  'adapters',
  'functions',
  'client',
  'recipes',
  'chunks',
  'bench',
  'cli',
  'dashboard',
  'docs',
  'suites',
  'formatting',
];

/** All that the stages of these tests say is searched for secrets when the last of them has ended. */
const searched = {
  globalSetup: 'test/canary/after-all.ts',
  setupFiles: 'test/canary/record-answers.ts',
};

/** `vitest run` runs all but the large matrices, which lie in `*.full.test.ts` and run by `--mode full`. */
export default defineConfig(({ mode }) => {
  const isFull = mode === 'full';
  const suffix = isFull ? 'full.test.ts' : 'test.ts';
  const exclude = isFull ? [] : ['**/*.full.test.ts'];
  const project = (name: string, rooms: string[], more: object = {}) => ({
    test: {
      name,
      include: rooms.map((room) => `test/${room}/**/*.${suffix}`),
      exclude,
      testTimeout: isFull ? 600_000 : 60_000,
      hookTimeout: 120_000,
      // Every core: the default leaves one free, and so half of a machine that has two.
      maxWorkers: '100%',
      // What takes a moment on a quiet machine may take long on a loaded one.
      expect: { poll: { timeout: 30_000 } },
      ...more,
    },
  });
  return {
    test: {
      passWithNoTests: false,
      projects: [
        project('unit', unitRooms),
        // Ten thousand jobs under a virtual clock: a minute on a machine that is busy with something else.
        project('faults', ['faults'], { testTimeout: 600_000 }),
        project('stack', ['lib', 'scripts']),
        project('stage', ['local']),
        // Whole stages with real ffmpeg, and much waiting for them: two files at a time, whatever the cores.
        project('browser', ['browser'], { maxWorkers: 2, testTimeout: 180_000, ...searched }),
        project('journey', ['journeys', 'hostile', 'conformance'], {
          maxWorkers: 2,
          testTimeout: 180_000,
          ...searched,
        }),
      ],
    },
  };
});
