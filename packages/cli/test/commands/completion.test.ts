import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runCli } from '../builders/run-cli.ts';

/** What bash proposes for the last of the words. */
async function completed(...words: string[]): Promise<string[]> {
  const { out } = await runCli(['completion', 'bash']);
  const line = ['media-jobs', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${out}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _media_jobs; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

it.each([
  ['a command', ['est'], ['estimate']],
  ['a command below another', ['keys', 'cr'], ['create']],
  ['an option', ['submit', 'in.mp4', '--max-cost'], ['--max-cost-usd']],
  ['a recipe', ['submit', 'in.mp4', '--recipe', 'con'], ['concat', 'contact-sheet']],
  ['the choice of an option', ['submit', '--speed', 'f'], ['fast']],
])('bash completes %s', async (_, words, expected) => expect(await completed(...words)).toEqual(expected));

it.each(['zsh', 'fish'])('%s has a script that names the recipes', async (shell) => {
  const { out, exitCode } = await runCli(['completion', shell]);
  expect([exitCode, out]).toEqual([0, expect.stringContaining('contact-sheet')]);
});
