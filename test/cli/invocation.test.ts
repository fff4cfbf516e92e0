import { expect, it } from 'vitest';
import { detectInvocation } from '../../cli/invocation.ts';

const script = {
  npm_lifecycle_event: 'cli',
  npm_package_name: '@media-jobs/stack',
  INIT_CWD: '/home/ada/films',
};

it.each([
  ['by its own name', {}, { programName: 'media-jobs', workingDirectory: '/work' }],
  [
    'as a script, from another folder',
    script,
    { programName: 'npm run cli --', workingDirectory: '/home/ada/films' },
  ],
  [
    'in a script of somebody else',
    { ...script, npm_package_name: 'films' },
    { programName: 'media-jobs', workingDirectory: '/work' },
  ],
])('knows how it was started, and from where: %s', (_, environment, expected) => {
  expect(detectInvocation(environment, '/work')).toEqual(expected);
});
