import { Option } from 'commander';
import { recipes } from '../../core/recipes/registry.ts';
import { optionName } from '../../formatting/command-line.ts';
import { formatAllowedValues, recipeParameters, valueTypes } from './recipe-parameters.ts';

/** Longer ones would leave no room for what an option is. */
const longestValues = 12;

/** The options for the parameters of all recipes; one that several recipes have is one option. */
export function recipeOptions(): Option[] {
  return [...recipesByParameter()].flatMap(([name, uses]) => {
    const flag = optionName(name);
    const owners = uses.map(({ recipe }) => recipe).join(', ');
    const isSwitch = uses.every(({ schema }) => valueTypes(schema).every((type) => type === 'boolean'));
    if (isSwitch) return [new Option(`--${flag}`, owners), new Option(`--no-${flag}`, owners)];
    const [first = '', ...others] = new Set(uses.map(({ schema }) => formatAllowedValues(schema)));
    const isShort = others.length === 0 && first.length <= longestValues;
    return [new Option(`--${flag} <${isShort ? first : 'value'}>`, owners)];
  });
}

/** The parameters that the options of `submit` stand for. */
export function parameterNames(): string[] {
  return [...recipesByParameter().keys()];
}

function recipesByParameter() {
  const all = recipes.flatMap((recipe) =>
    recipeParameters(recipe).map(({ name, schema }) => ({ name, schema, recipe: recipe.name })),
  );
  return Map.groupBy(all, ({ name }) => name);
}
