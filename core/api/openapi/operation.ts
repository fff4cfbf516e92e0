import type * as z from 'zod';
import type { Contract, ResponseContract, WebhookContract } from '../contract.ts';
import { errorBodySchema, gatewayErrorSchema } from '../error-body.ts';
import { buildErrorResponses } from './errors.ts';
import type { JsonSchema, SchemaCollector } from './schemas.ts';

/** The OpenAPI operation object of a route. */
export function buildOperation(contract: Contract, schemas: SchemaCollector): object {
  const { id, method, tag, summary, description, callers, body, bodyExample } = contract;
  const successes = Object.entries(contract.responses).map(([status, response]) => [
    status,
    responseOf(response, schemas),
  ]);
  const responses = {
    ...Object.fromEntries(successes),
    ...buildErrorResponses(contract, {
      error: schemas.of(errorBodySchema, 'output'),
      gatewayError: schemas.of(gatewayErrorSchema, 'output'),
    }),
  };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: securityOf(contract),
    parameters: declaredParameters(contract, schemas),
    requestBody: body && {
      required: !body.safeParse(undefined).success,
      content: jsonContent(schemas.of(body, 'input'), bodyExample),
    },
    responses: method === 'HEAD' ? withoutBodies(responses) : responses,
    'x-callers': callers.length === 1 ? [...callers] : undefined,
  };
}

/** A response to HEAD has no body, an error neither. */
function withoutBodies(responses: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, { ...response, content: undefined }]),
  );
}

/** The OpenAPI operation object of a webhook. */
export function buildWebhookOperation(webhook: WebhookContract, schemas: SchemaCollector): object {
  const { id, tag, summary, description, headers, body, examples } = webhook;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: [],
    parameters: parametersOf(headers, 'header', schemas),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.of(body, 'output'), examples } },
    },
    responses: {
      '2XX': {
        description:
          'The event was accepted. The response body does not matter: its first 4 KiB are shown with the attempt.',
      },
      '4XX': {
        description: 'The event was not accepted and is sent again, as after any other response or none.',
      },
    },
  };
}

/** OpenAPI 3.1 lets the requirement of a scheme list the roles that it needs. */
function securityOf({ callers, scope }: Contract): object[] {
  const roles = scope === undefined || scope === 'any' ? [] : [scope];
  return [
    ...(callers.includes('key') ? [{ apiKey: roles }, { apiKeyHeader: roles }] : []),
    ...(callers.includes('session') ? [{ session: [] }] : []),
  ];
}

function declaredParameters({ params, query, headers }: Contract, schemas: SchemaCollector) {
  const parameters = [
    ...parametersOf(params, 'path', schemas),
    ...parametersOf(query, 'query', schemas),
    ...parametersOf(headers, 'header', schemas),
  ];
  return parameters.length === 0 ? undefined : parameters;
}

function parametersOf(
  object: z.ZodObject | undefined,
  location: 'path' | 'query' | 'header',
  schemas: SchemaCollector,
): object[] {
  // `accept` follows from the media types of the responses: OpenAPI ignores a parameter of this name.
  const { accept: _, ...shape } = object?.shape ?? {};
  return Object.entries(shape).map(([name, field]) => {
    // The output side: a parameter's parsed type is more precise than "string".
    const { description, ...schema } = schemas.of(field, 'output');
    const required = location === 'path' || !(field as z.ZodType).safeParse(undefined).success;
    return {
      name,
      in: location,
      required,
      description,
      // A record: each pair is a parameter `<name>[<key>]`.
      ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
      schema,
    };
  });
}

function responseOf(
  { description, schema, text, headers, example }: ResponseContract,
  schemas: SchemaCollector,
): object {
  const described = Object.entries(headers ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  const texts = (text ?? []).map((type) => [type, { schema: { type: 'string' } }]);
  const content = {
    ...(schema && jsonContent(schemas.of(schema, 'output'), example)),
    ...Object.fromEntries(texts),
  };
  return {
    description,
    headers: described.length === 0 ? undefined : Object.fromEntries(described),
    content: schema || text ? content : undefined,
  };
}

function jsonContent(schema: JsonSchema, example: unknown): object {
  return { 'application/json': { schema, example } };
}
