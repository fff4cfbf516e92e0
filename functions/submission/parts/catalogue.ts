import { answerPart } from '../../../adapters/runtime/http/route.ts';
import { handler as estimateJob } from '../routes/estimate-job.ts';
import { handler as getHealth } from '../routes/get-health.ts';
import { handler as getOpenapi } from '../routes/get-openapi.ts';
import { handler as listRecipes } from '../routes/list-recipes.ts';

export const handler = answerPart({ listRecipes, estimateJob, getHealth, getOpenapi });
