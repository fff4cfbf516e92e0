import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlSnippet, pythonSnippet, typeScriptSnippet, withKeyPlaceholders } from '../../src/job/request-snippets.ts';

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

it('a Python snippet has the request as its value', () => {
  const more = {
    ...request,
    recipe: { ...request.recipe, deinterlace: true, tags: [], heights: [1, 2] },
    keepDays: null,
  };
  const [, literal = ''] = /^job = (.*?)^request = /ms.exec(pythonSnippet(more, 'https://api.example')) ?? [];
  expect(literal).toContain('"deinterlace": True,');
  const json = literal
    .replaceAll(/,(\s*[}\]])/g, '$1')
    .replaceAll(/(: )True/g, '$1true')
    .replaceAll(/(: )None/g, '$1null');
  expect(JSON.parse(json)).toEqual(more);
});

describe('the request of an encrypted job', () => {
  const recipe = { name: 'hls', encryption: { scheme: 'aes-128', keyUri: 'https://keys.example/1' } };
  const withKey = { ...recipe, encryption: { ...recipe.encryption, key: 'YOUR_CONTENT_KEY' } };
  const { recipe: _, ...encrypted } = { ...request, output: { format: 'hls' } };

  it('has a placeholder for the content key, which the API does not return', () => {
    expect(withKeyPlaceholders({ ...encrypted, recipe })).toEqual({ ...encrypted, recipe: withKey });
    const steps = [{ recipe: request.recipe }, { name: 'stream', recipe }];
    expect(withKeyPlaceholders({ ...encrypted, steps }).steps).toEqual([steps[0], { name: 'stream', recipe: withKey }]);
  });

  it('keeps a key that was typed, and a request without encryption', () => {
    const typed = { ...recipe, encryption: { ...recipe.encryption, key: '00'.repeat(16) } };
    expect(withKeyPlaceholders({ ...encrypted, recipe: typed })).toEqual({ ...encrypted, recipe: typed });
    expect(withKeyPlaceholders(request)).toEqual(request);
  });
});
