import { afterAll } from 'vitest';
import { removeFoldersOfHooks } from './temporary-folder.ts';

// A setup file registers its hook first. So it runs last, when nothing uses the folders any more.
afterAll(removeFoldersOfHooks);
