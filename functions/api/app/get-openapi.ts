import type { OpenApiDocument } from '../../../core/api/openapi.ts';
import type { getOpenapiContract } from '../../../core/api/openapi-route.ts';
import type { OpenRouteApp } from '../../runtime/http/route.ts';

/** The document of the API, to anyone. */
export function getOpenapi(document: OpenApiDocument): OpenRouteApp<typeof getOpenapiContract> {
  return async () => ({ status: 200, body: document });
}
