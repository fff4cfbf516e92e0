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
  Deliveries: 'The webhooks that tell of the end of a job.',
  Settings: 'What holds for all of your jobs.',
  'API keys': 'The credentials of programs. Managed from the dashboard: an API key cannot.',
  Recipes: 'What can be done to media.',
  Uploads: 'Files of your own as inputs.',
  Usage: 'What was done for you.',
  About: 'This API itself.',
};

/** The OpenAPI 3.1 document of the whole API, from its contracts alone; the same contracts give the same document. */
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
  version: '1.0.0',
  summary: 'Media processing jobs over HTTP.',
  description:
    'Submit a job by URL, poll it or receive a webhook when it ends, and download the result by a signed URL.\n\nRequests are strict: an unknown field or parameter is refused by name. Answers may get more fields in later versions. Times are ISO 8601 in UTC with milliseconds, but for the timestamp of webhooks. Every error has the same shape, but for those of the gateway in front: throttling (429), a body above 10 MB (413) and oversized headers (431) are answered with `{ "message" }` alone. HEAD is not offered: a known path answers it with 405.',
  license: { name: 'MIT', identifier: 'MIT' },
};

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `nte_` and 48 more characters, exactly as it was shown.',
  },
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description: 'The same, in a header of its own.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "An access token of the stage's OpenID Connect provider, as the dashboard sends it.",
  },
};
