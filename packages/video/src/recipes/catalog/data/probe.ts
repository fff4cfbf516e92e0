import * as z from 'zod';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { formats } from '../../../media/formats.ts';
import { describedProbe } from '../../../media/probe/described-probe.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const probe = defineRecipe({
  name: 'probe',
  title: 'Probe',
  description:
    'The properties of the input as a JSON file: container, duration in seconds, and each stream. An input that other recipes reject, since it exceeds a limit, is described with a warning.',
  formats: ['json'],
  comparison: 'none',
  dependsOnCaptions: true,
  describesOnly: true,
  parameters: () => z.strictObject({}),
  example: { output: { format: 'json' }, recipe: { name: 'probe' } },
});

export function planProbe(input: RecipeInput<typeof probe>): Plan | PendingPlan {
  const content = `${JSON.stringify(describedProbe(input.probe), null, 2)}\n`;
  const { mimeType } = formats.json;
  return {
    commands: [],
    outputs: [{ name: 'output', filename: 'output.json', format: 'json', mimeType, content }],
  };
}
