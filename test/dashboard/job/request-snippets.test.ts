import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { curlSnippet, typeScriptSnippet } from '../../../dashboard/job/request-snippets.ts';

const request = {
  mode: 'recipe',
  input: { url: "https://media.example/it's $HOME `x`.mp4" },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28, maxWidth: 1280 },
  webhookUrl: 'https://example.com/hook?a=1&b=2',
};

/** The arguments of a command as a shell parses it. */
function argumentsOf(command: string): string[] {
  const printCommand = command.replace(/^\S+/, 'printf "%s\\n"');
  return execFileSync('/bin/sh', ['-c', printCommand], { encoding: 'utf8' }).split('\n').slice(0, -1);
}

it('a curl snippet sends exactly the request, whatever characters it contains', () => {
  const args = argumentsOf(curlSnippet(request, 'https://api.example'));
  expect(args[0]).toBe('https://api.example/api/v1/jobs');
  expect(JSON.parse(args.at(-1) ?? '')).toEqual(request);
});

it('a TypeScript snippet has the request as its body', () => {
  const [, body = ''] =
    /JSON\.stringify\((.*)\),\n\}\);/s.exec(typeScriptSnippet(request, 'https://api.example')) ?? [];
  expect(JSON.parse(body)).toEqual(request);
});
