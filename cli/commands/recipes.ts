import { Command } from 'commander';
import type { Recipe } from '../../core/recipes/recipe.ts';
import { recipes } from '../../core/recipes/registry.ts';
import { optionName, submitCommandLine } from '../../formatting/command-line.ts';
import type { CommandFactory } from '../context/run-action.ts';
import { exampleRequest } from '../request/example-request.ts';
import { requireRecipe } from '../request/recipe-or-steps.ts';
import { formatAllowedValues, type Parameter, recipeParameters } from '../request/recipe-parameters.ts';
import { columns } from '../show/columns.ts';

export const recipesCommand: CommandFactory = (attend) =>
  new Command('recipes')
    .description('Lists the recipes that this program knows, or shows the options of one. Asks no service.')
    .argument('[recipe]', 'the recipe to show')
    .action(
      attend(async ({ printResult: answer, programName }, name: string | undefined) => {
        if (name === undefined) {
          const rows = recipes.map((one) => [one.name, one.formats.join(','), one.description]);
          answer({ recipes: recipes.map(described) }, columns([['RECIPE', 'FORMATS', ''], ...rows]));
          return;
        }
        const recipe = requireRecipe(name);
        answer(described(recipe), recipeText(recipe, programName));
      }),
    );

function described(recipe: Recipe) {
  const { name, title, description, formats } = recipe;
  const options = recipeParameters(recipe).map(({ name: parameter, schema, isRequired }) => ({
    option: `--${optionName(parameter)}`,
    value: formatAllowedValues(schema),
    ...(schema.default === undefined ? {} : { default: schema.default }),
    isRequired,
    description: schema.description ?? '',
  }));
  return { name, title, description, formats, options };
}

function recipeText(recipe: Recipe, programName: string): string {
  const request = exampleRequest(recipe, (index) => (index === 0 ? 'film.mp4' : `film-${index + 1}.mp4`));
  return [
    `${recipe.title}: ${recipe.description}`,
    '',
    columns([
      ['OPTION', 'VALUES', 'UNLESS GIVEN', ''],
      ['--format', recipe.formats.join('|'), recipe.formats[0], ''],
      ...recipeParameters(recipe).map(optionRow),
    ]),
    '',
    submitCommandLine(request, programName),
  ].join('\n');
}

function optionRow({ name, schema, isRequired }: Parameter): string[] {
  const fallback = isRequired ? 'required' : String(schema.default ?? '');
  return [`--${optionName(name)}`, formatAllowedValues(schema), fallback, schema.description ?? ''];
}
