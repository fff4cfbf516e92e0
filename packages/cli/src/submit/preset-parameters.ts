import { findRecipe, type ParameterSchema } from '@media-jobs/video/recipes';
import * as z from 'zod';
import type { CommandContext } from '../context/command-context.ts';
import type { JobBody } from '../request/build-request.ts';
import { parsePresetValue } from '../request/preset-value.ts';

/** Replaces the texts of a preset's parameters in a body by values of their types, which its version tells. */
export async function typePresetParameters(client: CommandContext['client'], body: JobBody): Promise<void> {
  if (body.mode !== 'preset' || body.parameters === undefined) return;
  const { request } = await client.getPreset({ params: { name: body.preset } });
  const schemaOf = (name: string) => {
    const recipe = findRecipe(name);
    return recipe && (z.toJSONSchema(recipe.parameters, { io: 'input' }) as ParameterSchema);
  };
  const texts = Object.entries(body.parameters as Record<string, string>);
  body.parameters = Object.fromEntries(
    texts.map(([path, text]) => [path, parsePresetValue({ request, schemaOf }, path, text)]),
  );
}
