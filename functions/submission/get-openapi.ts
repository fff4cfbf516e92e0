import type { PublicRouteApp } from '../../adapters/runtime/http/route.ts';
import type { getOpenapiContract } from '../../core/api/get-openapi.ts';
import type { OpenApiDocument } from '../../core/api/openapi/document.ts';

/** Serves the document, which is built once at the cold start. */
export function getOpenapi(document: OpenApiDocument): PublicRouteApp<typeof getOpenapiContract> {
  return async () => ({ status: 200, body: document });
}
