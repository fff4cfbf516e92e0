import type { JobRequest } from '../api/job-request.ts';
import { assetsOf } from '../recipes/registry.ts';

/** Every URL that a job's worker is asked to fetch, with its place in the request. */
export function requestUrls(request: JobRequest): { url: string; path: string }[] {
  const steps =
    request.mode === 'pipeline'
      ? request.steps.map(({ recipe }, index) => ({ recipe, place: `steps.${index}.recipe` }))
      : [{ recipe: request.recipe, place: 'recipe' }];
  const assets = steps.flatMap(({ recipe, place }) =>
    assetsOf(recipe).map(({ name, url }) => ({ url, path: `${place}.${name}` })),
  );
  return [...inputsOf(request), ...assets];
}

function inputsOf({ input, ...request }: JobRequest): { url: string; path: string }[] {
  const { inputs = [] } = request as { inputs?: { url: string }[] };
  const first = input === undefined ? [] : [{ url: input.url, path: 'input.url' }];
  return [...first, ...inputs.map(({ url }, index) => ({ url, path: `inputs.${index}.url` }))];
}
