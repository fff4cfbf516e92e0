import * as z from 'zod';
import { answering } from '../answer.ts';
import type { ToolContext } from './tool-context.ts';

/** Tools that tell what the service can do. */
export function addCatalogueTools({ server, mediaJobs: { api } }: ToolContext): void {
  server.registerTool(
    'recipes',
    {
      title: 'List recipes, or describe one',
      description:
        'What a job can do. Without `name`: each recipe in a sentence. With it: all parameters with ranges and defaults, as JSON Schema.',
      inputSchema: { name: z.string().optional() },
      annotations: { readOnlyHint: true },
    },
    ({ name }, { signal }) =>
      answering(async () => {
        const { recipes } = await api.listRecipes({ signal });
        if (name === undefined) {
          return {
            recipes: recipes.map((each) => ({
              name: each.name,
              description: each.description,
              formats: each.outputFormats,
            })),
          };
        }
        const recipe = recipes.find((each) => each.name === name);
        if (recipe === undefined)
          throw new Error(`There is no recipe "${name}". There are: ${recipes.map((each) => each.name).join(', ')}.`);
        return { recipe };
      }),
  );
  server.registerTool(
    'presets',
    {
      title: 'List presets',
      description:
        'Stored requests that a job names by `preset`, in their newest versions, with the parameters that each allows.',
      inputSchema: {},
      annotations: { readOnlyHint: true },
    },
    (_, { signal }) =>
      answering(async () => {
        const { presets } = await api.listPresets({ signal });
        return {
          presets: presets.map(({ name, version, title, description, allow }) => ({
            name,
            version,
            title,
            description,
            allow,
          })),
        };
      }),
  );
}
