import { conditionSchema, findConflicts, findRecipe } from '@media-jobs/video/recipes';
import * as z from 'zod';
import { maxDepth, maxOutputs } from '../jobs/request-limits.ts';
import { maxStepNameLength } from '../storage/object-key.ts';
import { commonFields, inputSchema, narrowFormat, recipeSchema, resultFields } from './request-fields.ts';

const nameSchema = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9_-]{1,${maxStepNameLength}}$`),
    'Must be a name of up to 40 letters, digits, hyphens and underscores',
  );

const outputSchema = z.strictObject({
  from: z
    .string()
    .optional()
    .describe('Name of the output that this one is made of, which has a single file. Default: the input of the job.'),
  recipe: recipeSchema,
  ...resultFields,
  when: conditionSchema.optional().meta({
    id: 'OutputCondition',
    description: 'The output is skipped unless all of this holds for what it reads.',
  }),
  optional: z
    .boolean()
    .optional()
    .describe('If it fails, the job goes on, and has the warning `OUTPUT_FAILED`. Default: false, and the job fails.'),
  deliver: z
    .boolean()
    .optional()
    .describe('false: only other outputs read it, and the job has no URL of it. Default: true.'),
});

type OutputFields = z.output<typeof outputSchema>;
type Outputs = Readonly<Record<string, OutputFields>>;
type Reject = (path: readonly string[], message: string) => void;

export const outputsJobSchema = z
  .strictObject({
    mode: z.literal('outputs').describe('`outputs` makes several outputs of one input, which is downloaded once.'),
    input: inputSchema,
    outputs: z.record(nameSchema, outputSchema).describe(`1 to ${maxOutputs} outputs by their names.`),
    ...commonFields,
  })
  .superRefine(({ outputs }, context) => {
    const reject: Reject = (path, message) => context.addIssue({ code: 'custom', path: ['outputs', ...path], message });
    const count = Object.keys(outputs).length;
    if (count === 0 || count > maxOutputs) reject([], `Must have 1 to ${maxOutputs} outputs`);
    for (const [name, output] of Object.entries(outputs)) {
      rejectWrongRecipe(name, output, reject);
      rejectWrongSource(name, outputs, reject);
      rejectUndelivered(name, outputs, reject);
    }
    if (count > 0 && Object.values(outputs).every(({ deliver }) => deliver === false))
      reject([], 'No output is delivered: leave out deliver of at least one');
  })
  .superRefine(narrowFormats, { when: () => true })
  .meta({ id: 'OutputsJob' });

function rejectWrongRecipe(name: string, { recipe, format }: OutputFields, reject: Reject): void {
  if (findRecipe(recipe.name)?.inputCount)
    reject([name, 'recipe', 'name'], `The recipe ${recipe.name} takes several inputs, but an output has one`);
  for (const { path, message } of findConflicts(recipe, format))
    reject([name, ...path.replace(/^output\./, '').split('.')], message);
}

function rejectWrongSource(name: string, outputs: Outputs, reject: Reject): void {
  const source = sourceOf(outputs, name);
  if (source === undefined) return;
  const read = outputOf(outputs, source);
  if (read === undefined) {
    reject([name, 'from'], `There is no output ${source}`);
    return;
  }
  if (findRecipe(read.recipe.name)?.severalOutputs)
    reject([name, 'from'], `The output ${source} is a set of files: from takes an output with a single file`);
  const chain = [name];
  for (let next: string | undefined = source; next !== undefined; next = sourceOf(outputs, next)) {
    if (chain.includes(next)) {
      if (next === name) reject([name, 'from'], `The outputs ${chain.join(', ')} read each other in a circle`);
      return;
    }
    chain.push(next);
  }
  if (chain.length > maxDepth)
    reject([name, 'from'], `It needs ${chain.length} outputs one after the other; at most ${maxDepth} are allowed`);
}

function rejectUndelivered(name: string, outputs: Outputs, reject: Reject): void {
  const { deliver, key, storageProviderId } = outputOf(outputs, name) ?? {};
  if (deliver !== false) return;
  if (!Object.values(outputs).some(({ from }) => from === name))
    reject([name, 'deliver'], 'No other output reads this one: name it in their from, or leave out deliver');
  if (key !== undefined) reject([name, 'key'], 'An output that is not delivered has no key');
  if (storageProviderId !== undefined)
    reject([name, 'storageProviderId'], 'An output that is not delivered has no storage provider');
}

/** A name such as `constructor` is no output unless the request has it. */
function outputOf(outputs: Outputs, name: string): OutputFields | undefined {
  return Object.hasOwn(outputs, name) ? outputs[name] : undefined;
}

function sourceOf(outputs: Outputs, name: string): string | undefined {
  return outputOf(outputs, name)?.from;
}

type Unparsed = { outputs?: Record<string, { recipe?: { name?: string } }> };

function narrowFormats(request: object, { issues }: z.RefinementCtx): void {
  for (const issue of issues) {
    const [field, name, format, ...others] = issue.path ?? [];
    if (field !== 'outputs' || format !== 'format' || others.length > 0) continue;
    narrowFormat(issue, (request as Unparsed).outputs?.[String(name)]?.recipe?.name);
  }
}
