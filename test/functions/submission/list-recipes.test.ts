import { recipes } from '@media-jobs/video/recipes';
import { describe, expect, it } from 'vitest';
import { jobRequestSchema } from '../../../core/api/job-request.ts';
import { listRecipes } from '../../../functions/submission/list-recipes.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aCreateJobRoute, type Body } from '../../builders/http/create-job-route.ts';

const { body } = await callRoute(listRecipes(recipes));

describe.each(body.recipes.map((recipe) => [recipe.name, recipe] as const))(
  'the recipe %s',
  (_, { exampleRequest }) => {
    it('has an example that is a valid job request', async () => {
      const request = { input: undefined, ...jobRequestSchema.parse(exampleRequest) } as Partial<Body>;
      expect(await aCreateJobRoute().post(request)).toMatchObject({
        status: 201,
        body: { state: 'queued', request: exampleRequest },
      });
    });
  },
);
