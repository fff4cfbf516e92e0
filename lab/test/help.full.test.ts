import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '../../lib/build/paths.ts';
import manifest from '../../package.json' with { type: 'json' };
import { argumentsAfter, longOptions, pages } from '../../test/docs/command-lines.ts';

/** Scripts that run one program of this project. The command line has tests of its own. */
const programs = Object.entries(manifest.scripts).flatMap(([name, command]) => {
  const [, file] = command.match(/^node (\S+)$/) ?? [];
  return file === undefined || name === 'cli' ? [] : [{ name, file }];
});

/** The options with which the documentation runs a program. */
function documentedOptions(name: string): string[] {
  return pages.flatMap((page) => argumentsAfter(page, `npm (?:run )?${name} --`).flatMap(longOptions));
}

it.each(programs)(
  'npm run $name --help prints what it does and its options, among them those of the documentation',
  async ({ name, file }) => {
    const { stdout } = await promisify(execFile)(process.execPath, [file, '--help'], { cwd: root });
    expect(stdout).toMatch(new RegExp(`npm (run )?${name}\\b`));
    for (const option of documentedOptions(name)) expect(stdout).toContain(option);
  },
);

it.each(programs.filter(({ file }) => /^(scripts|lib\/build)\//.test(file)))(
  'npm run $name names an unknown option, without a stack trace',
  async ({ file }) => {
    const stderr = await rejectionOf([file, '--bogus']);
    expect(stderr).toContain('--bogus');
    expect(stderr).not.toMatch(/^ {4}at /m);
  },
);

it.each(['--seconds', '--crf'])('npm run calibrate-quality rejects %s without a number', async (option) => {
  const stderr = await rejectionOf(['lab/calibrate-quality.ts', option, 'high']);
  expect(stderr).toContain(`${option} must be a number above 0, found high.`);
});

/** What a program that must fail writes to stderr. */
function rejectionOf(args: string[]): Promise<string> {
  return promisify(execFile)(process.execPath, args, { cwd: root }).then(
    () => expect.fail('The options were accepted'),
    ({ stderr }: { stderr: string }) => stderr,
  );
}
