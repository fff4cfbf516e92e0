import type * as z from 'zod';
import { version } from '../../version.ts';
import type { Contract, ResponseContract, WebhookContract } from '../contract.ts';
import { errorBodySchema, gatewayErrorSchema } from '../error-body.ts';
import { buildErrorExamples, buildErrorResponses } from './errors.ts';
import { createSchemaCollector, type JsonSchema, type SchemaCollector } from './schemas.ts';

export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string; [field: string]: unknown };
  [field: string]: unknown;
};

export type ApiDeclaration = { contracts: readonly Contract[]; webhooks: readonly WebhookContract[] };

const tags: Readonly<Record<string, string>> = {
  Jobs: 'Submit media jobs, follow them, and fetch their results.',
  Deliveries: 'Read and repeat webhook deliveries.',
  Settings: 'Settings of all your jobs.',
  'Storage providers': 'Your own buckets, for results and inputs.',
  'API keys': 'Credentials of programs, each with the scopes that it needs.',
  Recipes: 'The media operations that a job can run.',
  Watches: 'Prefixes of buckets whose new objects become jobs.',
  Uploads: 'Upload files as job inputs.',
  Usage: 'Daily usage.',
  About: 'This API.',
};

/** The OpenAPI 3.1 document of the API. The same contracts give the same document. */
export function buildOpenApiDocument({ contracts, webhooks }: ApiDeclaration): OpenApiDocument {
  const schemas = createSchemaCollector();
  const paths: Record<string, Record<string, object>> = {};
  for (const contract of contracts) {
    paths[contract.path] = {
      ...paths[contract.path],
      [contract.method.toLowerCase()]: buildOperation(contract, schemas),
    };
  }
  const events = webhooks.map((webhook) => [webhook.id, { post: buildWebhookOperation(webhook, schemas) }]);
  const used = new Set([...contracts, ...webhooks].map(({ tag }) => tag));
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: '/', description: 'Where this document is served' }],
    tags: [...used].map((name) => ({ name, description: tags[name] ?? name })),
    paths,
    webhooks: Object.fromEntries(events),
    components: {
      securitySchemes,
      examples: buildErrorExamples(contracts),
      schemas: Object.fromEntries([...schemas.shared].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const info = {
  title: 'Media jobs',
  version,
  summary: 'Media processing jobs over HTTP.',
  description:
    'Submit a job by URL, poll it or receive a webhook when it ends, and download the result by a signed URL.\n\nRequests are strict: an unknown field or parameter is an error that names it. An optional field that is null counts as left out, except where null is a value. Responses may have more fields in later versions. Timestamps are ISO 8601 in UTC with milliseconds; the `timestamp` of webhooks is in Unix milliseconds. All errors have the same shape, except those of API Gateway: throttling (429), a body above 10 MB (413), oversized headers (431) and a failed function (500, 503) return `{ "message" }` only. Without `error.code`, retry a 5xx with an increasing delay. HEAD is not supported: a known path answers 405.',
  license: { name: 'MIT', identifier: 'MIT' },
};

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key: `nte_` and 48 more characters. The roles of an operation are the scope that the key needs.',
  },
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description: 'An API key in the `X-API-KEY` header.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "An access token (JWT) of the stage's OpenID Connect provider.",
  },
};

function buildOperation(contract: Contract, schemas: SchemaCollector): object {
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

function buildWebhookOperation(webhook: WebhookContract, schemas: SchemaCollector): object {
  const { id, tag, summary, description, headers, body, examples } = webhook;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: [],
    parameters: parametersOf(headers, 'header', schemas),
    requestBody: { required: true, content: { 'application/json': { schema: schemas.of(body, 'output'), examples } } },
    responses: {
      '2XX': {
        description:
          'The event was accepted. The response body does not matter: its first 4 KiB are shown with the attempt.',
      },
      '4XX': { description: 'The event was not accepted and is sent again, as after any other response or none.' },
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
  const content = { ...(schema && jsonContent(schemas.of(schema, 'output'), example)), ...Object.fromEntries(texts) };
  return {
    description,
    headers: described.length === 0 ? undefined : Object.fromEntries(described),
    content: schema || text ? content : undefined,
  };
}

function jsonContent(schema: JsonSchema, example: unknown): object {
  return { 'application/json': { schema, example } };
}
