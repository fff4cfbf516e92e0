import { recipes } from '@media-jobs/video/recipes';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseRequest } from '../../../../adapters/runtime/http/parse-request.ts';
import type { Contract } from '../../../../core/api/contract.ts';
import { createJobContract } from '../../../../core/api/create-job.ts';
import { estimateJobContract } from '../../../../core/api/estimate-job.ts';
import { contracts } from '../../../../core/api/registry.ts';
import { setSettingsContract } from '../../../../core/api/settings.ts';
import { aGatewayEvent } from '../../../builders/http/a-gateway-event.ts';

type JsonSchema = Record<string, unknown> & { properties?: Record<string, JsonSchema>; required?: string[] };

const input = { url: 'https://media.example/in.mp4' };
const inputs = [input, { url: 'https://media.example/b.mp4' }];
const recipe = { name: 'compress' };
const compress = { recipe, format: 'mp4' };
const outputs = {
  first: { ...compress, when: { minHeight: 100 }, headers: { cacheControl: 'no-store' } },
  second: { from: 'first', ...compress },
};
const recipeJob = { mode: 'recipe', input, recipe, output: { format: 'mp4' } };
const modes = [
  recipeJob,
  { mode: 'pipeline', input, steps: [{ recipe }], output: { format: 'mp4' } },
  { mode: 'outputs', input, outputs },
  { mode: 'preset', preset: 'course', input, parameters: {}, metadata: { a: 'b' } },
];
const media = { width: 1920, height: 1080 };

type Row = [name: string, contract: Contract, body: object];

/** Together they have every object of every request. */
const bodies: Row[] = [
  ...(contracts as readonly Contract[])
    .filter(({ body, nullsAreValues }) => body !== undefined && !nullsAreValues)
    .map((contract): Row => [contract.id, { ...contract, params: undefined }, contract.bodyExample as object]),
  ...recipes.map(({ name, inputCount, example }): Row => {
    const source = inputCount === undefined ? { input } : { inputs };
    return [name, createJobContract, { mode: 'recipe', ...source, ...example }];
  }),
  ...modes.map((body): Row => [body.mode, createJobContract, body]),
  ...modes.map((body): Row => [`estimate of ${body.mode}`, estimateJobContract, { ...body, media }]),
];

const parse = (contract: Contract, body: unknown) => parseRequest(contract, aGatewayEvent({ method: 'POST', body }));

describe('an optional field that is null', () => {
  const tried = new Set<string>();

  it.each(bodies)('is as if left out: %s', (_, contract, body) => {
    const nulled = withNulls(schemaOf(contract), body, tried);
    expect(parse(contract, nulled)).toEqual(parse(contract, body));
  });

  it.each([
    ...['webhookUrl', 'metadata', 'output.key', 'recipe.crf', 'steps.0.name', 'outputs.first.when.minWidth'],
    ...['outputs.second.deliver', 'media.framesPerSecond', 'expiresAt', 'multipart', 'cursor', 'retired', 'endpoint'],
  ])('was tried at %s', (path) => expect(tried).toContain(path));

  it.each([
    ['keepDays', { keepDays: null }],
    ['storageProviderId', { output: { format: 'mp4', storageProviderId: null } }],
  ])('stays where null is a value: %s', (_, fields) => {
    expect(parse(createJobContract, { ...recipeJob, ...fields }).body).toMatchObject(fields);
  });

  it.each<[string, Contract, object, string, string]>([
    [
      'a required field',
      createJobContract,
      { ...recipeJob, recipe: null },
      'recipe',
      'Must be an object, such as { "name": "compress" }; found null',
    ],
    ['an unknown field', createJobContract, { ...recipeJob, inptu: null }, 'inptu', 'Unknown field'],
    [
      'a pair',
      createJobContract,
      { ...recipeJob, metadata: { a: null } },
      'metadata.a',
      'Must be a string; found null',
    ],
    [
      'a setting',
      setSettingsContract,
      { defaultWebhookUrl: null, defaultStorageProviderId: null },
      'defaultWebhookUrl',
      'Must be a string; found null, which PUT takes',
    ],
  ])('is no other null: %s', (_, contract, body, path, message) => {
    expect(() => parse(contract, body)).toThrow(expect.objectContaining({ details: [{ path, message }] }));
  });
});

function schemaOf({ body }: Contract): JsonSchema {
  return z.toJSONSchema(body as z.ZodType, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** The body with null for each optional field that it leaves out, in all objects, by the JSON Schema of the body. */
function withNulls(root: JsonSchema, body: unknown, tried: Set<string>): unknown {
  const walk = (schema: JsonSchema, value: unknown, path: string): unknown => {
    if (Array.isArray(value)) {
      const { items } = resolve(schema, value) as { items?: JsonSchema };
      return value.map((item, index) => (items ? walk(items, item, `${path}${index}.`) : item));
    }
    if (typeof value !== 'object' || value === null) return value;
    const { properties = {}, required = [], additionalProperties } = resolve(schema, value);
    const fields: [string, unknown][] = Object.entries(value).map(([name, field]) => {
      const declared = properties[name] ?? additionalProperties;
      return [name, typeof declared === 'object' ? walk(declared as JsonSchema, field, `${path}${name}.`) : field];
    });
    for (const [name, field] of Object.entries(properties)) {
      if (Object.hasOwn(value, name) || required.includes(name) || allowsNull(field)) continue;
      tried.add(`${path}${name}`);
      fields.push([name, null]);
    }
    return Object.fromEntries(fields);
  };
  const resolve = (schema: JsonSchema, value: object): JsonSchema => {
    if (typeof schema.$ref === 'string') {
      const name = schema.$ref.split('/').at(-1) ?? '';
      return resolve(schema.$ref === '#' ? root : ((root.$defs as Record<string, JsonSchema>)[name] ?? {}), value);
    }
    const variants = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
    if (variants === undefined) return schema;
    const isNamed = (variant: JsonSchema) =>
      ['mode', 'name', 'type', 'kind'].every((field) => {
        const { const: named } = resolve(variant, value).properties?.[field] ?? {};
        return named === undefined || named === Reflect.get(value, field);
      });
    return resolve(variants.find(isNamed) ?? {}, value);
  };
  const allowsNull = (schema: JsonSchema): boolean =>
    Object.keys(schema).length === 0 ||
    schema.type === 'null' ||
    ((schema.anyOf as JsonSchema[] | undefined) ?? []).some(allowsNull);
  return walk(root, body, '');
}
