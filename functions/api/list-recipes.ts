import { recipes } from '@media-jobs/video/recipes';
import { listRecipesContract } from '../../core/api/recipes.ts';
import { route } from '../runtime/http/route.ts';
import { listRecipes } from './app/list-recipes.ts';

export const handler = route(listRecipesContract, listRecipes(recipes));
