import { publicRoute } from '../../../adapters/runtime/http/route.ts';
import { getOpenapiContract } from '../../../core/api/get-openapi.ts';
import { buildOpenApiDocument } from '../../../core/api/openapi/document.ts';
import { contracts, webhooks } from '../../../core/api/registry.ts';
import { getOpenapi } from '../get-openapi.ts';

export const handler = publicRoute(getOpenapiContract, getOpenapi(buildOpenApiDocument({ contracts, webhooks })));
