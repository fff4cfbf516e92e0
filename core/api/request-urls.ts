import { listAssets } from '../recipes/registry.ts';
import type { JobRequest } from './job-request.ts';

/** Every URL that a job's worker is asked to fetch, with its place in the request. */
export function requestUrls(request: JobRequest): { url: string; path: string }[] {
  return [...inputsOf(request), ...assetsIn(request)];
}

function inputsOf(request: JobRequest): { url: string; path: string }[] {
  const { input } = request;
  const inputs = request.mode === 'recipe' ? (request.inputs ?? []) : [];
  return [
    ...(input === undefined ? [] : [{ url: input.url, path: 'input.url' }]),
    ...inputs.map(({ url }, index) => ({ url, path: `inputs.${index}.url` })),
  ];
}

function assetsIn(request: JobRequest): { url: string; path: string }[] {
  const steps =
    request.mode === 'pipeline'
      ? request.steps.map(({ recipe }, index) => ({ recipe, place: `steps.${index}.recipe` }))
      : [{ recipe: request.recipe, place: 'recipe' }];
  return steps.flatMap(({ recipe, place }) =>
    listAssets(recipe).map(({ name, url }) => ({ url, path: `${place}.${name}` })),
  );
}
