import type * as z from 'zod';
import type { Plan } from '../../../src/encoding/plan.ts';
import { argumentTexts, type Command } from '../../../src/media/ffmpeg/command.ts';
import type { Format } from '../../../src/media/formats.ts';
import type { Probe } from '../../../src/media/probe/probe.ts';
import { planRecipe, recipeRequestSchema } from '../../../src/recipes/registry.ts';
import { aProbe } from '../media/a-probe.ts';

/** Plans a request for an input at `/in` with outputs in `/out`. */
export function plan(recipe: z.input<typeof recipeRequestSchema>, format: Format, probe: Probe = aProbe()): Plan {
  const request = recipeRequestSchema.parse(recipe);
  const planned = planRecipe(request, { probe, format, inputPath: '/in', outputDirectory: '/out' });
  if ('measure' in planned) throw new Error(`${recipe.name} has a measurement before its plan: run it with encode()`);
  return planned;
}

/** What a command writes, as one line. */
export function outputLine({ outputArguments }: Pick<Command, 'outputArguments'>): string {
  return argumentTexts(outputArguments).join(' ');
}

/** Each command as one line: its inputs with their options, then the output arguments. */
export function commandLines({ commands }: Plan): string[] {
  return commands.map((command) => {
    const inputs = command.inputs.flatMap(({ path, options = [] }) => [...options, '-i', path]);
    return [...inputs, outputLine(command)].join(' ');
  });
}
