import type { JobResource } from '@media-jobs/core/api';
import { aPipelineRequest } from '@media-jobs/testing/a-pipeline';
import { describe, expect, it } from 'vitest';
import { addOutput, addStep, type Draft, draftFromJob, newDraft, withRecipe } from '../../src/new-job/draft.ts';
import { draftToRequest, filesToUpload } from '../../src/new-job/draft-to-request.ts';
import { isSourceSet, storedSourceOf } from '../../src/new-job/source.ts';
import { validateDraft, validateParameters } from '../../src/new-job/validate-draft.ts';
import { joiningRecipe, recipeDescriptions, recipeNamed } from '../builders/recipe-descriptions.ts';

describe('a draft', () => {
  const url = 'https://media.example/in.mp4';

  it('becomes a request with only the chosen parameters', () => {
    const draft: Draft = { ...newDraft(recipeNamed('compress')), sources: [url], parameters: { crf: 30 } };
    expect(draftToRequest(draft)).toEqual({
      mode: 'recipe',
      input: { url },
      output: { format: 'mp4' },
      recipe: { name: 'compress', crf: 30 },
    });
  });

  it('keeps its input and resets its parameters when the recipe changes', () => {
    const draft: Draft = { ...newDraft(recipeNamed('compress')), sources: [url], parameters: { crf: 30 } };
    const other = withRecipe(draft, recipeNamed('thumbnails'));
    expect(other).toMatchObject({ sources: [url], parameters: {}, format: 'jpg' });
  });

  it('starts with example values for required numbers', () => {
    const { parameters, recipe } = newDraft(recipeNamed('speed'));
    expect(validateParameters(recipe.parameters, parameters)).toEqual({ problems: {}, missing: [] });
  });

  it('has two inputs for a recipe that joins several, and sends them in order', () => {
    const draft = withRecipe({ ...newDraft(recipeNamed('mute')), sources: [url] }, joiningRecipe);
    expect(draft.sources).toEqual([url, '']);
    const whole = { ...draft, sources: [url, 'https://media.example/next.mp4'] };
    expect(draftToRequest(whole)).toMatchObject({
      inputs: [{ url }, { url: 'https://media.example/next.mp4' }],
    });
    expect(withRecipe(whole, recipeNamed('mute')).sources).toEqual([url]);
  });

  it('refers to its files by the URLs of their uploads', () => {
    const [video, logo] = [new File(['video'], 'video.mp4'), new File(['logo'], 'logo.png')];
    const draft: Draft = {
      ...newDraft(joiningRecipe),
      sources: [video, video],
      parameters: { imageUrl: logo },
    };
    expect(filesToUpload(draft)).toEqual([video, logo]);
    const names = new Map([
      [video, 'upload://1/video.mp4'],
      [logo, 'upload://2/logo.png'],
    ]);
    expect(draftToRequest(draft, (source) => names.get(source as File) ?? '')).toMatchObject({
      inputs: [{ url: 'upload://1/video.mp4' }, { url: 'upload://1/video.mp4' }],
      recipe: { imageUrl: 'upload://2/logo.png' },
    });
  });

  it('with several steps becomes a pipeline, whose files are uploaded too', () => {
    const logo = new File(['logo'], 'logo.png');
    const first = newDraft(recipeNamed('compress'));
    const watermark = { recipe: recipeNamed('watermark'), parameters: { image: logo }, name: 'marked' };
    const earlierSteps = addStep(addStep([], { recipe: recipeNamed('clip'), parameters: { end: 5 } }), watermark);
    const draft: Draft = { ...first, sources: [url], earlierSteps, parameters: { crf: 30 } };
    expect(filesToUpload(draft)).toEqual([logo]);
    expect(draftToRequest(draft, (source) => (source === logo ? 'upload://1/logo.png' : url))).toEqual({
      mode: 'pipeline',
      input: { url },
      output: { format: 'mp4' },
      steps: [
        { recipe: { name: 'clip', end: 5 } },
        { name: 'marked', recipe: { name: 'watermark', image: 'upload://1/logo.png' } },
        { recipe: { name: 'compress', crf: 30 } },
      ],
    });
  });

  it('copies the steps and metadata of another job', () => {
    const request = aPipelineRequest(url);
    const metadata = { order: '4711' };
    const draft = draftFromJob({ request, metadata } as unknown as JobResource, recipeDescriptions);
    expect(draft && draftToRequest(draft)).toEqual({ ...request, metadata });
  });

  it('copies the outputs of another job, with what the form does not show', () => {
    const request = {
      mode: 'outputs',
      input: { url },
      outputs: {
        small: { recipe: { name: 'compress', crf: 30 }, format: 'mp4', when: { minHeight: 720 }, keepDays: null },
        poster: { from: 'small', recipe: { name: 'thumbnail' }, format: 'webp', optional: true, deliver: false },
      },
      keepDays: 7,
    };
    const draft = draftFromJob({ request } as unknown as JobResource, recipeDescriptions);
    expect(draft?.options).toEqual({ when: { minHeight: 720 }, keepDays: null });
    expect(draft && draftToRequest(draft)).toEqual(request);
    expect(draft && validateDraft(draft)).toEqual({ problems: {}, missing: [] });
  });

  it('has outputs of distinct names, and a problem at each other name', () => {
    const first = { ...newDraft(recipeNamed('compress')), sources: [url] };
    const outputs = addOutput({ ...first, outputs: addOutput(first, recipeNamed('clip')) }, recipeNamed('thumbnail'));
    expect(Object.keys(draftToRequest({ ...first, outputs }).outputs ?? {})).toEqual(['main', 'output-2', 'output-3']);
    const wrong = outputs.map((output, index) => ({ ...output, name: index === 0 ? 'main' : 'a b' }));
    expect(Object.keys(validateDraft({ ...first, outputs: wrong }).problems)).toEqual(['outputs[1]', 'outputs[2]']);
  });

  it('names objects of a storage provider, and where the files go', () => {
    const storageProviderId = `sp_${'1'.repeat(32)}`;
    const request = {
      mode: 'recipe',
      input: { storageProviderId, key: 'raw/a film.mp4' },
      output: { format: 'mp4', storageProviderId: null },
      recipe: { name: 'mute' },
    };
    const draft = draftFromJob({ request } as unknown as JobResource, recipeDescriptions);
    expect(draft && draftToRequest(draft)).toEqual(request);
    const storage = { storageProviderId, key: ' {name}.{extension} ' };
    expect(draft && draftToRequest({ ...draft, storage }).output).toEqual({
      format: 'mp4',
      storageProviderId,
      key: '{name}.{extension}',
    });
  });

  it('lacks a source until an object of a storage provider has a key', () => {
    const source = `storage://sp_${'1'.repeat(32)}/`;
    expect([source, `${source}a%20b`].map(isSourceSet)).toEqual([false, true]);
    expect(storedSourceOf(`${source}a%20b`)?.key).toBe('a b');
    expect(storedSourceOf(url)).toBeUndefined();
  });

  it('copies the request of another job', () => {
    const first: Draft = {
      ...newDraft(recipeNamed('resize')),
      sources: [url],
      format: 'webm',
      speed: 'fast',
    };
    const request = draftToRequest(first);
    const job = { request: { ...request, recipe: { name: 'resize', width: 640 } } };
    const draft = draftFromJob(job as unknown as JobResource, recipeDescriptions);
    expect(draft && draftToRequest(draft)).toEqual(job.request);
  });
});

it('an added step gets a new id', () => {
  const step = { recipe: recipeNamed('mute'), parameters: {} };
  const [, second] = addStep(addStep([], step), step);
  const more = addStep(second === undefined ? [] : [second], step);
  expect(more.map(({ id }) => id)).toEqual([1, 2]);
});
