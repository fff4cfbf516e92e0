import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Contract, errorCodesOf, type WebhookContract } from '../../../../core/api/contract.ts';
import { buildOpenApiDocument } from '../../../../core/api/openapi/document.ts';
import { contracts, webhooks } from '../../../../core/api/registry.ts';
import { apiErrors } from '../../../../core/errors.ts';

const declared: readonly Contract[] = contracts;
const events: readonly WebhookContract[] = webhooks;
const document = buildOpenApiDocument({ contracts, webhooks });
const paths = document.paths as Record<string, Record<string, { responses: Record<string, unknown> }>>;

const kebab = (id: string) => id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

describe('docs/openapi.json', () => {
  it('is what the contracts say; `npm run openapi` writes it anew', () => {
    expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(document)),
    );
  });
});

describe.each(declared.map((contract) => ({ ...contract })))('the contract $id', (contract) => {
  const { id, method, path, params, body, bodyExample, responses } = contract;

  it('has its handler file', () => {
    expect(existsSync(`functions/api/${kebab(id)}.ts`)).toBe(true);
  });

  it('declares exactly the parameters of its path', () => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(params?.shape ?? {})).toEqual(named);
  });

  it('shows examples that its own schemas take', () => {
    if (body !== undefined) expect(body.safeParse(bodyExample)).toMatchObject({ success: true });
    for (const { schema, example } of Object.values(responses)) {
      if (schema !== undefined) expect(schema.safeParse(example)).toMatchObject({ success: true });
    }
  });

  it('documents an answer for each of its errors', () => {
    const statuses = Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(Number);
    expect(statuses).toEqual(
      expect.arrayContaining(errorCodesOf(contract).map((code) => apiErrors[code].status)),
    );
  });
});

describe('the registry', () => {
  const all: readonly Contract[] = contracts;

  it('has each id, and each method of a path, once', () => {
    for (const names of [all.map(({ id }) => id), all.map(({ method, path }) => `${method} ${path}`)]) {
      expect(names).toEqual([...new Set(names)]);
    }
  });

  it('reaches every code of the table of errors but that of wrong methods, which no route answers', () => {
    const reached = new Set(declared.flatMap(errorCodesOf));
    const missing = Object.keys(apiErrors).filter((code) => !reached.has(code as keyof typeof apiErrors));
    expect(missing).toEqual(['METHOD_NOT_ALLOWED']);
  });
});

describe('the webhooks section', () => {
  it.each(
    events.flatMap(({ body, examples }) => Object.values(examples).map((example) => ({ body, ...example }))),
  )('shows $summary as its schema takes it', ({ body, value }) => {
    expect(body.safeParse(value)).toMatchObject({ success: true });
  });
});

describe('two schemas of one name', () => {
  it('are refused, since one would stand for both', () => {
    const [first] = contracts;
    const schema = first.responses[201].schema.pick({ jobId: true }).meta({ id: 'Job' });
    const impostor: Contract = {
      ...first,
      id: 'impostor',
      path: '/api/v1/impostor',
      responses: { 201: { description: 'A job', schema } },
    };
    expect(() => buildOpenApiDocument({ contracts: [first, impostor], webhooks })).toThrow('called Job');
  });
});
