import type { OperationResult } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { useRead } from '../api/use-read.ts';
import { sizeChangeLabel } from './job-labels.ts';

export type RecipeDescription = OperationResult<'listRecipes'>['recipes'][number];

export function useRecipes({ enabled = true } = {}) {
  return useRead({
    key: ['recipes'],
    read: async (client, signal) => (await client.listRecipes({ signal })).recipes,
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  });
}

/** How the result of a job compares with its input; `none` for a pipeline, and until the recipes are loaded. */
export function useComparison({ request }: JobResource, options?: { enabled: boolean }) {
  const { data: recipes = [] } = useRecipes(options);
  return recipes.find(({ name }) => name === request.recipe?.name)?.comparison ?? 'none';
}

/** The size of the output relative to the input as a label, for a result that replaces its input. */
export function useSizeChangeLabel(job: JobResource): string | undefined {
  const output = job.output_files?.output;
  // A video always replaces its input, so a list of videos does not need the recipes.
  const comparison = useComparison(job, { enabled: output !== undefined && output.file_type !== 'video' });
  return sizeChangeLabel(job, comparison);
}
