import { expect, it } from 'vitest';
import { detectInvocation, isLocalStage } from '../src/environment.ts';

const script = { npm_lifecycle_event: 'cli', npm_package_name: '@media-jobs/stack', INIT_CWD: '/home/ada/videos' };

it.each([
  ['http://127.0.0.1:8787', true],
  ['http://[::1]:8787', true],
  ['http://localhost:8787', true],
  ['https://media.example.com', false],
  ['https://127.0.0.1.example.com', false],
  ['', false],
])('isLocalStage tells whether the service runs on this machine: %s', (MEDIA_JOBS_URL, expected) => {
  expect(isLocalStage({ MEDIA_JOBS_URL })).toBe(expected);
});

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
