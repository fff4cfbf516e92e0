import { formatAllowedValues, recipeParameters } from '@media-jobs/cli';
import { recipes } from '@media-jobs/video/recipes';
import { cell, joinSame, table } from '../markdown/table.ts';

/** Every recipe with its output formats. */
export function recipesTable(): string {
  return table(
    ['Recipe', 'Description', '`output.format`'],
    recipes.map(({ name, description, formats }) => [`\`${name}\``, cell(description), formats.join(', ')]),
  );
}

/** All parameters of all recipes. The same parameter of several recipes is one row. */
export function parametersTable(): string {
  const rows = recipes.flatMap((recipe) =>
    recipeParameters(recipe).map(({ name, schema, isRequired }) => [
      `\`${recipe.name}\``,
      `\`${name}\``,
      cell(formatAllowedValues(schema)),
      isRequired ? 'required' : defaultOf(schema),
      cell(schema.description ?? ''),
    ]),
  );
  return table(['Recipe', 'Parameter', 'Values', 'Default', 'Description'], joinSame(rows));
}

function defaultOf({ default: value }: { default?: unknown }): string {
  return value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
