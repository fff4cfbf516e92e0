import { version } from '../../version.ts';
import type { Contract, WebhookContract } from '../contract.ts';
import { buildErrorExamples } from './errors.ts';
import { buildOperation, buildWebhookOperation } from './operation.ts';
import { createSchemaCollector } from './schemas.ts';

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
