import type { OperationRequest, OperationResult } from '../../client/operation.ts';

export type RecipeDescription = OperationResult<'listRecipes'>['recipes'][number];
export type NewJobRequest = OperationRequest<'createJob'>['body'];

/** A job that is being put together. */
export type Draft = {
  file: File | undefined;
  url: string;
  recipe: RecipeDescription;
  format: string;
  /** What was chosen; the recipe decides the rest. */
  parameters: Record<string, unknown>;
  webhookUrl: string;
};

export function newDraft(recipe: RecipeDescription): Draft {
  return {
    file: undefined,
    url: '',
    recipe,
    format: recipe.outputFormats[0] ?? 'mp4',
    parameters: {},
    webhookUrl: '',
  };
}

/** The same input under another recipe, whose parameters are its own. */
export function withRecipe(draft: Draft, recipe: RecipeDescription): Draft {
  const keeps = recipe.outputFormats.includes(draft.format);
  return {
    ...draft,
    recipe,
    parameters: {},
    format: keeps ? draft.format : (recipe.outputFormats[0] ?? 'mp4'),
  };
}

/** The request that the draft stands for; the API checks it against its contract. */
export function requestOf(
  { recipe, format, parameters, webhookUrl }: Draft,
  inputUrl: string,
): NewJobRequest {
  return {
    mode: 'recipe',
    input: { url: inputUrl },
    output: { format },
    recipe: { name: recipe.name, ...parameters },
    ...(webhookUrl.trim() === '' ? {} : { webhookUrl: webhookUrl.trim() }),
  } as NewJobRequest;
}

/** What stands for the input of a draft before its file has been uploaded. */
export function inputOf({ file, url }: Draft): string {
  if (file !== undefined) return `upload://…/${encodeURIComponent(file.name)}`;
  return url.trim() === '' ? 'https://…' : url.trim();
}
