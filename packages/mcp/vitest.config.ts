import { testsOf } from '@media-jobs/testing/package-tests';
import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) =>
  testsOf('mcp', { root: import.meta.dirname, folders: ['test'], mode, isolate: false }),
);
