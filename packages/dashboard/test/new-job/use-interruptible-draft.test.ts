import { describe, expect, it } from 'vitest';
import { addStep, type Draft, newDraft } from '../../src/new-job/draft.ts';
import { formatInterruptedDraft, parseInterruptedDraft } from '../../src/new-job/use-interruptible-draft.ts';
import { joiningRecipe, recipeDescriptions, recipeNamed } from '../builders/recipe-descriptions.ts';

const form = 'ada ';
const recipes = [...recipeDescriptions, joiningRecipe];

function restored(draft: Draft): Draft | undefined {
  return parseInterruptedDraft(formatInterruptedDraft(draft, form), { form, recipes });
}

describe('an interrupted draft', () => {
  const draft: Draft = {
    ...newDraft(recipeNamed('gif')),
    sources: ['https://media.example/in.mp4?signature=1'],
    parameters: { width: 160 },
    earlierSteps: addStep([], { recipe: recipeNamed('clip'), parameters: { end: 5 }, name: 'cut' }),
    storage: { storageProviderId: null, key: '' },
    webhookUrl: 'https://example.com/hooks',
    speed: 'fast',
    maxCostUsd: 0.5,
    metadata: { order: '7' },
  };

  it('is restored with all its fields', () => {
    expect(restored(draft)).toEqual(draft);
  });

  it('is restored while it is incomplete', () => {
    expect(restored(newDraft(joiningRecipe))?.sources).toEqual(['', '']);
    expect(restored({ ...draft, sources: ['storage://spv_1/'] })?.sources).toEqual(['storage://spv_1/']);
  });

  it('loses its files, which have to be chosen again', () => {
    const file = new File(['video'], 'video.mp4');
    const withFiles = {
      ...newDraft(recipeNamed('watermark')),
      sources: [file],
      parameters: { image: file, opacity: 0.5 },
    };
    expect(restored(withFiles)).toMatchObject({ sources: [''], parameters: { opacity: 0.5 } });
    expect(restored(withFiles)?.parameters.image).toBeUndefined();
  });

  it('loses its content key, which is secret', () => {
    const encryption = { scheme: 'aes-128', key: '0'.repeat(32), keyUri: 'https://media.example/key' };
    const encrypted = { ...newDraft(recipeNamed('gif')), parameters: { width: 160, encryption } };
    const earlierSteps = addStep([], encrypted);
    const outputs = [{ ...encrypted, id: 1, name: 'second' }];
    for (const more of [{ earlierSteps }, { outputs }])
      expect(formatInterruptedDraft({ ...encrypted, ...more }, form)).not.toContain(encryption.key);
    expect(restored(encrypted)?.parameters).toEqual({
      width: 160,
      encryption: { scheme: 'aes-128', keyUri: encryption.keyUri },
    });
  });

  it('is not restored for another user or another form', () => {
    const text = formatInterruptedDraft(draft, form);
    expect(parseInterruptedDraft(text, { form: 'bob ', recipes })).toBeUndefined();
    expect(parseInterruptedDraft(null, { form, recipes })).toBeUndefined();
  });
});
