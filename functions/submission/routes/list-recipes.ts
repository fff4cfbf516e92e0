import { recipes } from '@media-jobs/video/recipes';
import { route } from '../../../adapters/runtime/http/route.ts';
import { listRecipesContract } from '../../../core/api/recipes.ts';
import { listRecipes } from '../list-recipes.ts';

export const handler = route(listRecipesContract, listRecipes(recipes));
