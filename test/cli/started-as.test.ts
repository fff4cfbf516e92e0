import { expect, it } from 'vitest';
import { startedAs } from '../../cli/started-as.ts';

const script = {
  npm_lifecycle_event: 'cli',
  npm_package_name: '@media-jobs/stack',
  INIT_CWD: '/home/ada/films',
};

it.each([
  ['by its own name', {}, { programName: 'media-jobs', directory: '/work' }],
  [
    'as a script, from another folder',
    script,
    { programName: 'npm run cli --', directory: '/home/ada/films' },
  ],
  [
    'in a script of somebody else',
    { ...script, npm_package_name: 'films' },
    { programName: 'media-jobs', directory: '/work' },
  ],
])('knows how it was started, and from where: %s', (_, environment, expected) => {
  expect(startedAs(environment, '/work')).toEqual(expected);
});
