import { recipes } from '@media-jobs/video/recipes';
import { Option } from 'commander';
import { optionName } from '../formatting/command-line.ts';
import { collectItems } from './parse-parameter.ts';
import { formatAllowedValues, isLanguageFile, recipeParameters, valueTypes } from './recipe-parameters.ts';

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
    const isList = uses.some(({ schema }) => isLanguageFile(schema.items));
    return [isList ? option.argParser(collectItems) : option];
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
