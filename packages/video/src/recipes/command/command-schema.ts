import * as z from 'zod';
import type { Format } from '../../media/formats.ts';
import { integer, number } from '../../values.ts';

/** Formats of a single file that a command may write. */
// biome-ignore format: a table
export const commandFormats = [
  'mp4', 'mov', 'mkv', 'webm', 'mp3', 'm4a', 'opus', 'flac', 'wav', 'gif', 'jpg', 'png', 'webp',
] as const satisfies readonly Format[];

const word = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,98}[A-Za-z0-9])?$/, {
  message:
    'Must be 1 to 100 letters, digits, spaces, dots, hyphens and underscores, with a letter or digit at both ends',
});
const description = z.string().max(300).optional();

/** The type of a placeholder: what its values may be, and the default one. */
export const placeholderSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('integer'), min: z.int(), max: z.int(), default: z.int(), description }),
  z.strictObject({ type: z.literal('number'), min: z.number(), max: z.number(), default: z.number(), description }),
  z.strictObject({ type: z.literal('enum'), values: z.array(word).min(1).max(50), default: word, description }),
  z.strictObject({ type: z.literal('string'), default: word, description }),
]);

export type Placeholder = z.output<typeof placeholderSchema>;

export type PlaceholderValue = string | number;

export function valueSchema(placeholder: Placeholder): z.ZodType<PlaceholderValue> {
  switch (placeholder.type) {
    case 'integer':
      return integer(placeholder.min, placeholder.max);
    case 'number':
      return number(placeholder.min, placeholder.max);
    case 'enum':
      return z.enum(placeholder.values);
    case 'string':
      return word;
  }
}

const reserved = ['name', 'command'];

/** A run of ffmpeg that a preset of the stage describes. `{name}` in an argument stands for the value of that parameter. */
export const commandSchema = z
  .strictObject({
    inputs: z.tuple([z.literal('{input}')]),
    arguments: z.array(z.string().max(2000)).max(200),
    outputs: z.tuple([
      z
        .string()
        .regex(
          new RegExp(`^\\{output\\}\\.(${commandFormats.join('|')})$`),
          `Must be {output}. and one of ${commandFormats.join(', ')}`,
        ),
    ]),
    parameters: z
      .record(z.string().regex(/^[a-z][A-Za-z0-9]{0,29}$/, 'Must be a name such as grainSize'), placeholderSchema)
      .default({}),
  })
  .superRefine(({ parameters }, context) => {
    for (const [name, placeholder] of Object.entries(parameters)) {
      const reject = (message: string) => context.addIssue({ code: 'custom', path: ['parameters', name], message });
      if (reserved.includes(name)) reject(`${reserved.join(' and ')} are no names of parameters`);
      if (!valueSchema(placeholder).safeParse(placeholder.default).success)
        reject('The default must be one of its values');
    }
  });

export type CommandTemplate = z.output<typeof commandSchema>;

export function formatOfCommand({ outputs: [output] }: CommandTemplate): (typeof commandFormats)[number] {
  return output.slice('{output}.'.length) as (typeof commandFormats)[number];
}

export function commandDefaults({ parameters }: CommandTemplate): Record<string, PlaceholderValue> {
  return Object.fromEntries(Object.entries(parameters).map(([name, placeholder]) => [name, placeholder.default]));
}
