import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Contract, errorCodesOf, type WebhookContract } from '../../../../core/api/contract.ts';
import { buildOpenApiDocument } from '../../../../core/api/openapi/document.ts';
import { contracts, webhooks } from '../../../../core/api/registry.ts';
import { apiErrors } from '../../../../core/errors.ts';

const declared: readonly Contract[] = contracts;
const events: readonly WebhookContract[] = webhooks;
const document = buildOpenApiDocument({ contracts, webhooks });
const paths = document.paths as Record<string, Record<string, { responses: Record<string, unknown> }>>;

type ErrorResponse = { content: { 'application/json': { schema: { anyOf?: object[] } } } };

it('docs/openapi.json is generated from the contracts: run `npm run openapi` to update it', () => {
  expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(JSON.parse(JSON.stringify(document)));
});

describe.each(declared.map((contract) => ({ ...contract })))('the contract $id', (contract) => {
  const { method, path, params, body, bodyExample, responses } = contract;

  it('declares exactly the parameters of its path', () => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(params?.shape ?? {})).toEqual(named);
  });

  it('has examples that match its schemas', () => {
    if (body !== undefined) expect(body.safeParse(bodyExample)).toMatchObject({ success: true });
    for (const { schema, example } of Object.values(responses)) {
      if (schema !== undefined) expect(schema.safeParse(example)).toMatchObject({ success: true });
    }
  });

  it.skipIf(method === 'HEAD')('documents the errors of API Gateway in its shape', () => {
    const gatewayError = { $ref: '#/components/schemas/GatewayError' };
    const answers = paths[path]?.[method.toLowerCase()]?.responses ?? {};
    for (const status of [413, 429, 500, 503]) {
      const { schema } = (answers[status] as ErrorResponse).content['application/json'];
      expect(schema.anyOf ?? [schema]).toContainEqual(gatewayError);
    }
  });

  it('documents a response for each of its errors', () => {
    const statuses = Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(Number);
    expect(statuses).toEqual(expect.arrayContaining(errorCodesOf(contract).map((code) => apiErrors[code].status)));
  });
});

describe('the registry', () => {
  const all: readonly Contract[] = contracts;

  it('has no duplicate id and no duplicate method of a path', () => {
    for (const names of [all.map(({ id }) => id), all.map(({ method, path }) => `${method} ${path}`)]) {
      expect(names).toEqual([...new Set(names)]);
    }
  });

  it('covers every API error code except METHOD_NOT_ALLOWED, which no route answers', () => {
    const reached = new Set(declared.flatMap(errorCodesOf));
    const missing = Object.keys(apiErrors).filter((code) => !reached.has(code as keyof typeof apiErrors));
    expect(missing).toEqual(['METHOD_NOT_ALLOWED']);
  });
});

it.each(events.flatMap(({ body, examples }) => Object.values(examples).map((example) => ({ body, ...example }))))(
  'a webhook example matches its schema: $summary',
  ({ body, value }) => expect(body.safeParse(value)).toMatchObject({ success: true }),
);

it('two different schemas with one id are an error', () => {
  const [first] = contracts;
  const schema = first.responses[201].schema.pick({ jobId: true }).meta({ id: 'Job' });
  const other: Contract = {
    ...first,
    id: 'other',
    path: '/api/v1/other',
    responses: { 201: { description: 'A job', schema } },
  };
  expect(() => buildOpenApiDocument({ contracts: [first, other], webhooks })).toThrow('have the id Job');
});
