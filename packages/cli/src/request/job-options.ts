import { speeds } from '@media-jobs/video/encoding';
import { recipes } from '@media-jobs/video/recipes';
import { type Command, Option } from 'commander';
import { optionName } from '../formatting/command-line.ts';
import { collectOutput } from './outputs.ts';
import { parseKeepDays, parseNumber, parsePriority } from './parse-number.ts';
import { collectPair, parseWebUrl } from './parse-option.ts';
import { collectItems } from './parse-parameter.ts';
import { formatAllowedValues, isLanguageFile, recipeParameters, valueTypes } from './recipe-parameters.ts';

export function addJobOptions(command: Command): Command {
  command
    .argument(
      '<inputs...>',
      'file, http or https URL, s3://bucket/key or storage://provider-id/key; several files for concat',
    )
    .option('--recipe <name>', 'recipe to run; "recipes" lists them, "recipes <name>" shows the options of one')
    .option(
      '--steps <json>',
      'pipeline, in place of --recipe: JSON list of { recipe }. Each step reads the result of the step before it',
    )
    .option(
      '--set <path=value>',
      'with --preset name@version: a parameter of that preset, such as recipe.maxWidth=960; repeat the option for several',
      collectPair,
    )
    .option(
      '--output <name=recipe:format>',
      'one of several outputs, in place of --recipe, such as poster=thumbnail:jpg,at=2; repeat the option for each',
      collectOutput,
    )
    .option('--outputs <json>', 'several outputs by name: a JSON file, or JSON as in the API')
    .option('--format <format>', 'output format; default: the first of the recipe that its parameters allow')
    .option('--provider <provider-id>', 'storage provider of s3 inputs; default: the only one of their bucket')
    .option(
      '--output-provider <provider-id>',
      'storage provider that receives the files; default: that of the settings',
    )
    .option('--no-output-provider', 'keeps the files in the bucket of the service')
    .option('--output-key <template>', 'keys at the storage provider, of {jobId}, {name}, {extension} and {date}')
    .option('--output-cache-control <value>', 'Cache-Control header of the objects at the storage provider')
    .option('--output-content-disposition <value>', 'Content-Disposition header of these objects')
    .option('--output-storage-class <class>', 'storage class of these objects')
    .option('--output-tag <key=value>', 'tag of these objects; repeat the option for several', collectPair)
    .option(
      '--webhook-url <url>',
      'URL that receives the webhook of this job; default: that of the settings',
      parseWebUrl,
    )
    .addOption(
      new Option(
        '--speed <speed>',
        'fast: chunks of the video are encoded in parallel; standard: only those of a long video; economy: the job may wait, and costs at most a third',
      ).choices(speeds),
    )
    .option('--finish-by <time>', 'with economy: time by which the job has to end, such as 2026-03-01T12:00:00Z')
    .option(
      '--priority <0..9>',
      'of your waiting jobs, the one with the highest number starts first; default: 5',
      parsePriority,
    )
    .option(
      '--max-cost-usd <dollars>',
      'maximum cost: a job with a higher estimate is rejected, and a job that reaches it is stopped',
      parseNumber,
    )
    .option(
      '--keep-days <days>',
      'days to keep the files after the end of the job, or "forever": until it is deleted; default: set by the service',
      parseKeepDays,
    )
    .option('--metadata <key=value>', 'pair stored with the job; repeat the option for several', collectPair);
  return command;
}

/** Adds an option for each parameter of a recipe. They come last in the help. */
export function addRecipeOptions(command: Command): Command {
  command.optionsGroup('Options of recipes:');
  for (const option of recipeOptions()) command.addOption(option);
  return command;
}

/** The parameters of recipes among the options of a command line. */
export function recipeParametersOf(options: Readonly<Record<string, unknown>>): Record<string, string | boolean> {
  const pairs = parameterNames().flatMap((name): [string, string | boolean][] => {
    const value = options[name];
    return typeof value === 'string' || typeof value === 'boolean' ? [[name, value]] : [];
  });
  return Object.fromEntries(pairs);
}

/** Longer values would leave no room for the description in the help. */
const maxValuesLength = 12;

/** The options of `submit` for recipe parameters: one per parameter name, with the recipes that have it. */
export function recipeOptions(): Option[] {
  return [...recipesByParameter()].flatMap(([name, uses]) => {
    const flag = optionName(name);
    const recipeNames = uses.map(({ recipe }) => recipe).join(', ');
    const isSwitch = uses.every(({ schema }) => valueTypes(schema).every((type) => type === 'boolean'));
    if (isSwitch) return [new Option(`--${flag}`, recipeNames), new Option(`--no-${flag}`, recipeNames)];
    const [first = '', ...others] = new Set(uses.map(({ schema }) => formatAllowedValues(schema)));
    const isShort = others.length === 0 && first.length <= maxValuesLength;
    const option = new Option(`--${flag} <${isShort ? first : 'value'}>`, recipeNames);
    const isRepeated = uses.some(({ schema }) => schema.type === 'object' || isLanguageFile(schema.items));
    return [isRepeated ? option.argParser(collectItems) : option];
  });
}

/** The names of all recipe parameters. */
export function parameterNames(): string[] {
  return [...recipesByParameter().keys()];
}

function recipesByParameter() {
  const parameters = recipes.flatMap((recipe) =>
    recipeParameters(recipe).map(({ name, schema }) => ({ name, schema, recipe: recipe.name })),
  );
  return Map.groupBy(parameters, ({ name }) => name);
}
