import { type Recipe, recipes } from '@media-jobs/video/recipes';
import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { optionName, submitCommandLine } from '../formatting/command-line.ts';
import { recipeLine, recipesByGoal } from '../formatting/recipe-goals.ts';
import { exampleRequest } from '../request/build-request.ts';
import { requireRecipe } from '../request/recipe-or-steps.ts';
import { formatAllowedValues, type Parameter, recipeParameters } from '../request/recipe-parameters.ts';
import { columns } from '../show/sanitize.ts';

export const recipesCommand: CommandFactory = (context) =>
  new Command('recipes')
    .description('Lists the recipes of this program version, or shows the options of one. Works offline.')
    .argument('[recipe]', 'the recipe to show')
    .action(async (name: string | undefined) => {
      if (name === undefined) {
        context.printResult({ recipes: recipes.map(describe) }, formatRecipes());
        return;
      }
      const recipe = requireRecipe(name);
      context.printResult(describe(recipe), formatRecipe(recipe, context.programName));
    });

/** One line for each recipe, by what it is for. */
function formatRecipes(): string {
  const goals = recipesByGoal(recipes);
  const rows = goals.flatMap((goal) =>
    goal.recipes.map((recipe) => [`  ${recipe.name}`, recipeLine(recipe), recipe.formats.join(',')]),
  );
  const lines = columns(rows).split('\n');
  return goals.flatMap(({ title, recipes: { length } }) => [`${title}:`, ...lines.splice(0, length)]).join('\n');
}

function describe(recipe: Recipe) {
  const { name, title, description, formats } = recipe;
  const options = recipeParameters(recipe).map(({ name: parameter, schema, isRequired }) => ({
    option: `--${optionName(parameter)}`,
    value: formatAllowedValues(schema),
    default: schema.default,
    isRequired,
    description: schema.description ?? '',
  }));
  return { name, title, description, formats, options };
}

function formatRecipe(recipe: Recipe, programName: string): string {
  const request = exampleRequest(recipe, (index) => (index === 0 ? 'video.mp4' : `video-${index + 1}.mp4`));
  return [
    `${recipe.title}: ${recipe.description}`,
    '',
    columns([
      ['OPTION', 'VALUES', ''],
      ['--format', recipe.formats.join('|'), `Output format. Default: ${recipe.formats[0]}.`],
      ...recipeParameters(recipe).map(optionRow),
    ]),
    '',
    submitCommandLine(request, programName),
  ].join('\n');
}

function optionRow({ name, schema, isRequired }: Parameter): string[] {
  const ofDefault = schema.default === undefined ? [] : [`Default: ${String(schema.default)}.`];
  const description = [schema.description ?? '', ...(isRequired ? ['Required.'] : ofDefault)].join(' ');
  const isFile = schema.format === 'uri';
  const values = isFile ? 'file or URL' : formatAllowedValues(schema);
  return [`--${optionName(name)}`, values, isFile ? description.replace(fileOfApi, fileOfProgram) : description];
}

/** What the API takes for a file, and what this program takes: it uploads the file. */
const fileOfApi = /An http or https URL, or the `inputUrl` of an upload\./;
const fileOfProgram = 'A file on this machine, which is uploaded, or an http or https URL.';
