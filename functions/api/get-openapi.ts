import { openApiDocument } from '../../core/api/openapi.ts';
import { getOpenapiContract } from '../../core/api/openapi-route.ts';
import { contracts, webhooks } from '../../core/api/registry.ts';
import { openRoute } from '../runtime/http/route.ts';
import { getOpenapi } from './app/get-openapi.ts';

export const handler = openRoute(getOpenapiContract, getOpenapi(openApiDocument({ contracts, webhooks })));
