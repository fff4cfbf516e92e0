import { comparisons } from '@media-jobs/video/recipes';
import * as z from 'zod';
import { contract } from './contract.ts';

export const listRecipesContract = contract({
  id: 'listRecipes',
  function: 'submission',
  method: 'GET',
  path: '/api/v1/recipes',
  tag: 'Recipes',
  summary: 'List the recipes',
  callers: ['key', 'session'],
  scope: 'any',
  responses: {
    200: {
      description: 'Every recipe with its parameters and an example request.',
      schema: z.object({
        recipes: z.array(
          z
            .object({
              name: z.string(),
              title: z.string(),
              description: z.string(),
              parameters: z
                .record(z.string(), z.unknown())
                .describe('JSON Schema of the parameters, which stand beside `recipe.name`.'),
              outputFormats: z.array(z.string()).describe('Accepted as `output.format`.'),
              comparison: z
                .enum(comparisons)
                .describe(
                  'How a result can be shown beside its input: `same-time` at the same second, `from-start` from the second that the parameter `start` names. `none` where the two have no common timeline.',
                ),
              exampleRequest: z.record(z.string(), z.unknown()).describe('A body for POST /api/v1/jobs.'),
            })
            .meta({ id: 'Recipe' }),
        ),
      }),
      example: {
        recipes: [
          {
            name: 'compress',
            title: 'Compress',
            description: 'Makes a video smaller.',
            parameters: {
              type: 'object',
              properties: { crf: { type: 'number', minimum: 1, maximum: 51, default: 28 } },
            },
            outputFormats: ['mp4', 'mov', 'mkv'],
            comparison: 'same-time',
            exampleRequest: {
              mode: 'recipe',
              input: { url: 'https://example.com/input.mp4' },
              output: { format: 'mp4' },
              recipe: { name: 'compress', crf: 28 },
            },
          },
        ],
      },
    },
  },
  uses: [],
});
