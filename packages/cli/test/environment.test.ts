import { expect, it } from 'vitest';
import { detectInvocation } from '../src/environment.ts';

const script = {
  npm_lifecycle_event: 'cli',
  npm_package_name: '@media-jobs/stack',
  INIT_CWD: '/home/ada/videos',
};

it.each([
  ['by its name', {}, { programName: 'media-jobs', workingDirectory: '/work' }],
  [
    'as an npm script, from another folder',
    script,
    { programName: 'npm run cli --', workingDirectory: '/home/ada/videos' },
  ],
  [
    'in an npm script of another package',
    { ...script, npm_package_name: 'videos' },
    { programName: 'media-jobs', workingDirectory: '/work' },
  ],
])('detectInvocation detects the program name and working directory %s', (_, environment, expected) => {
  expect(detectInvocation(environment, '/work')).toEqual(expected);
});
