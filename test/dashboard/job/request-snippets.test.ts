import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlSnippet, typeScriptSnippet } from '../../../dashboard/job/request-snippets.ts';

const request = {
  mode: 'recipe',
  input: { url: "https://media.example/it's $HOME `x`.mp4" },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28, maxWidth: 1280 },
  webhookUrl: 'https://example.com/hook?a=1&b=2',
};

/** The words that a shell makes of a line, with another program in place of the first word. */
function wordsOf(line: string): string[] {
  const printing = line.replace(/^\S+/, 'printf "%s\\n"');
  return execFileSync('/bin/sh', ['-c', printing], { encoding: 'utf8' }).split('\n').slice(0, -1);
}

describe('the line of curl', () => {
  it('sends exactly the request, whatever its texts hold', () => {
    const words = wordsOf(curlSnippet(request, 'https://api.example'));
    expect(words[0]).toBe('https://api.example/api/v1/jobs');
    expect(JSON.parse(words.at(-1) ?? '')).toEqual(request);
  });
});

it('writes TypeScript whose body is the request', () => {
  const [, body = ''] =
    /JSON\.stringify\((.*)\),\n\}\);/s.exec(typeScriptSnippet(request, 'https://api.example')) ?? [];
  expect(JSON.parse(body)).toEqual(request);
});
