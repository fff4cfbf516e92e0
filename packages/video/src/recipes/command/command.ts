import * as z from 'zod';
import { dropMetadata, outputFile } from '../../encoding/options.ts';
import type { Plan } from '../../encoding/plan.ts';
import { containerArguments, formats } from '../../media/formats.ts';
import { defineRecipe, type RecipeInput } from '../recipe.ts';
import { commandArguments } from './command-arguments.ts';
import {
  commandDefaults,
  commandFormats,
  commandSchema,
  formatOfCommand,
  type PlaceholderValue,
  valueSchema,
} from './command-schema.ts';

/** A run of ffmpeg that a preset of the stage describes, for what no recipe does. No request can have it. */
export const command = defineRecipe({
  name: 'command',
  title: 'Command',
  description: 'A command of ffmpeg in a preset of the stage.',
  formats: commandFormats,
  comparison: 'none',
  parameters: () =>
    z.looseObject({ command: commandSchema }).superRefine(({ command: template, ...values }, context) => {
      for (const [name, value] of Object.entries(values)) {
        const placeholder = Object.hasOwn(template.parameters, name) ? template.parameters[name] : undefined;
        // The name of the recipe is beside them.
        if (placeholder === undefined && name === 'name') continue;
        const issues = placeholder && valueSchema(placeholder).safeParse(value).error?.issues;
        const unknown = [{ message: 'The command has no such parameter' }];
        for (const { message } of placeholder === undefined ? unknown : (issues ?? []))
          context.addIssue({ code: 'custom', path: [name], message });
      }
    }),
  conflicts: ({ command: template }, format) =>
    format === formatOfCommand(template)
      ? []
      : [{ path: 'output.format', message: `The command writes ${formatOfCommand(template)}, not ${format}` }],
  withDefaults: ({ command: template, ...values }) => ({ ...commandDefaults(template), ...values, command: template }),
  example: {
    output: { format: 'mp4' },
    recipe: { name: 'command', command: { inputs: ['{input}'], arguments: [], outputs: ['{output}.mp4'] } },
  },
});

export function planCommand(input: RecipeInput<typeof command>): Plan {
  const { command: template, ...given } = input.parameters;
  const { probe, inputPath: path, format } = input;
  const values = { ...commandDefaults(template), ...(given as Record<string, PlaceholderValue>) };
  const { output, path: outputPath } = outputFile(input, { anyStreams: true, durationSeconds: undefined });
  const isImage = formats[format].fileType === 'image' && format !== 'gif';
  const outputArguments = [
    ...commandArguments(template, values),
    ...dropMetadata,
    ...(isImage ? ['-frames:v', '1', '-update', '1'] : []),
    ...containerArguments(format),
    outputPath,
  ];
  return {
    commands: [{ inputs: [{ path }], outputArguments, durationSeconds: probe.durationSeconds }],
    outputs: [output],
  };
}
