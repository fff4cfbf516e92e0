import { listRecipesContract } from '../../core/api/recipes.ts';
import { recipes } from '../../core/recipes/registry.ts';
import { route } from '../runtime/http/route.ts';
import { listRecipes } from './app/list-recipes.ts';

export const handler = route(listRecipesContract, listRecipes(recipes));
