import { estimateJobContract } from '@media-jobs/core/api';
import { describe, expect, it } from 'vitest';
import { type Draft, newDraft } from '../../src/new-job/draft.ts';
import { draftToRequest } from '../../src/new-job/draft-to-request.ts';
import { estimateRequest } from '../../src/new-job/estimate-request.ts';
import { estimatedSource } from '../../src/new-job/source-media.ts';
import { validateDraft } from '../../src/new-job/validate-draft.ts';
import { recipeDescriptions, recipeNamed } from '../builders/recipe-descriptions.ts';

const media = { width: 1280, height: 720, durationSeconds: 60 };

describe('the request of an estimate', () => {
  it.each(recipeDescriptions)('is valid for the example of $name', (recipe) => {
    const { output, recipe: example } = recipe.exampleRequest as {
      output: { format: string };
      recipe: { name: string };
    };
    const { name: _, ...parameters } = example;
    const sources = Array.from({ length: recipe.name === 'concat' ? 2 : 1 }, () => 'https://media.example/in.mp4');
    const draft: Draft = { ...newDraft(recipe), sources, format: output.format, parameters };
    const request = estimateRequest(draft, estimatedSource(draft, []).media);
    expect(estimateJobContract.body.safeParse(request).error).toBeUndefined();
  });

  it('and of a job of a preset name the version and its parameters', () => {
    const preset = { preset: 'course@2', parameters: { 'recipe.maxWidth': 960 } };
    const draft: Draft = { ...newDraft(recipeNamed('concat')), preset, sources: ['https://media.example/in.mp4'] };
    const job = draftToRequest({ ...draft, keepDays: 3, maxCostUsd: 2 });
    expect(JSON.parse(JSON.stringify(job))).toEqual({
      ...{ mode: 'preset', ...preset, input: { url: 'https://media.example/in.mp4' }, maxCostUsd: 2 },
    });
    expect(validateDraft(draft)).toEqual({ problems: {}, missing: [] });
    const request = estimateRequest(draft, media);
    expect(request).toMatchObject({ mode: 'preset', ...preset });
    expect(estimateJobContract.body.safeParse(request).error).toBeUndefined();
  });

  it('has no content key or URL among the parameters of a preset', () => {
    const parameters = {
      'recipe.encryption.key': '5ec7e7'.padEnd(32, '1'),
      'recipe.encryption.keyUri': 'https://k/?SECRET',
    };
    const draft: Draft = { ...newDraft(recipeNamed('hls')), preset: { preset: 'course@2', parameters }, sources: [] };
    const request = estimateRequest(draft, media);
    expect(JSON.stringify(request)).not.toMatch(/SECRET|5ec7e7/);
    expect(Object.keys(request as object)).toContain('parameters');
  });

  it('has no URL, content key, webhook, metadata or storage of the draft', () => {
    const secret = 'https://media.example/x?token=SECRET';
    const watermark = {
      recipe: recipeNamed('watermark'),
      parameters: { image: secret, opacity: 0.5 },
      id: 0,
    };
    const parameters = {
      subtitles: [{ url: secret, language: 'de' }],
      encryption: { scheme: 'aes-128', key: '5ec7e7'.padEnd(32, '1'), keyUri: secret },
    };
    const draft: Draft = {
      ...newDraft(recipeNamed('hls')),
      sources: [secret],
      earlierSteps: [watermark],
      parameters,
      storage: { storageProviderId: 'SECRET', key: 'SECRET' },
      webhookUrl: secret,
      speed: 'fast',
      maxCostUsd: 1,
      metadata: { note: 'SECRET' },
    };
    const request = estimateRequest(draft, media);
    expect(JSON.stringify(request)).not.toMatch(/SECRET|5ec7e7/);
    expect(request).toEqual({
      mode: 'pipeline',
      input: { url: 'https://example.com/file' },
      output: { format: draft.format },
      steps: [
        { recipe: { name: 'watermark', image: 'https://example.com/file', opacity: 0.5 } },
        {
          recipe: {
            name: 'hls',
            subtitles: [{ url: 'https://example.com/file', language: 'de' }],
            encryption: { scheme: 'aes-128', key: '0'.repeat(32), keyUri: 'https://example.com/file' },
          },
        },
      ],
      speed: 'fast',
      media,
    });
  });
});
