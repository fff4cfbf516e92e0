import type { JobResource } from '@media-jobs/core/api';
import type { Comparison, Recipe } from '@media-jobs/video/recipes';
import { recipes } from '@media-jobs/video/recipes';

type Options = { recipe?: object; request?: object; fileType?: string; inputSizeBytes?: number };

/** A completed job with one output of 2 MB. */
export function aJobResource({
  recipe = { name: 'compress' },
  request,
  fileType = 'video',
  inputSizeBytes,
}: Options): JobResource {
  return {
    request: {
      mode: 'recipe',
      input: { url: 'https://media.example/in.mp4' },
      output: { format: 'mp4' },
      recipe,
      ...request,
    },
    output_files: { output: { file_type: fileType, size_mbytes: 2 } },
    inputSizeBytes,
  } as unknown as JobResource;
}

/** How the recipe of a job declares that its result compares with the input. */
export function comparisonOf({ request }: JobResource): Comparison {
  const known: readonly Recipe[] = recipes;
  return known.find(({ name }) => name === request.recipe?.name)?.comparison ?? 'none';
}
