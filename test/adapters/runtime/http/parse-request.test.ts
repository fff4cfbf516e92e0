import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseRequest } from '../../../../adapters/runtime/http/parse-request.ts';
import { contract } from '../../../../core/api/contract.ts';
import { listJobsContract } from '../../../../core/api/jobs.ts';
import type { AppError } from '../../../../core/errors.ts';
import { aGatewayEvent, type GatewayEventOptions } from '../../../builders/http/a-gateway-event.ts';

const common = {
  path: '/api/v1/things',
  function: 'things',
  tag: 'Things',
  summary: 'A thing',
  callers: [],
  errors: [],
  uses: [],
} as const;

const create = contract({
  ...common,
  id: 'createThing',
  method: 'POST',
  body: z.strictObject({
    name: z.string(),
    size: z.number().optional(),
    crop: z.strictObject({ offsets: z.array(z.number()) }).optional(),
    pairs: z.record(z.string(), z.string()).optional(),
  }),
  responses: { 200: { description: 'Done' } },
});

const list = contract({
  ...common,
  id: 'listThings',
  method: 'GET',
  query: z.strictObject({
    state: z.enum(['new', 'old']).optional(),
    metadata: z.record(z.string().min(1), z.string()).optional(),
  }),
  responses: { 200: { description: 'Things' } },
});

const poke = contract({
  ...common,
  id: 'pokeThing',
  method: 'POST',
  params: z.object({ id: z.uuid('There is no such thing.') }),
  responses: { 200: { description: 'Done' } },
});

const post = (parts: GatewayEventOptions) => parseRequest(create, aGatewayEvent({ method: 'POST', ...parts }));
const get = (query: Record<string, string>) => parseRequest(list, aGatewayEvent({ query }));

/** How a request is rejected. */
function rejectionOf(parse: () => unknown): AppError {
  try {
    parse();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('The request was accepted');
}

const notJson = 'The body is not valid JSON in UTF-8';

describe('a body', () => {
  it('is parsed by its contract and kept as rawBody', () => {
    expect(post({ body: { name: 'a' } })).toMatchObject({ body: { name: 'a' }, rawBody: { name: 'a' } });
  });

  it('may be base64 from API Gateway', () => {
    const body = Buffer.from('{"name":"é"}').toString('base64');
    expect(post({ body, isBase64Encoded: true }).body).toEqual({ name: 'é' });
  });

  it.each([
    ['an unknown field', { name: 'a', nmae: 'b' }, 'nmae'],
    ['a wrong type', { name: 1 }, 'name'],
    ['a number beyond all numbers', '{"name":"a","size":1e400}', 'size'],
    ['a missing field', {}, 'name'],
    ['half a surrogate pair', { name: 'a\ud83c' }, 'name'],
    ['half a surrogate pair in a key', { name: 'a', pairs: { '\udfac': 'x' } }, 'pairs'],
    ['no object', 'null', 'body'],
    ['a list', '[]', 'body'],
    ['a prototype', '{"name":"a","__proto__":{}}', '__proto__'],
    ['a prototype among pairs', '{"name":"a","pairs":{"__proto__":"x"}}', 'pairs.__proto__'],
    ['a prototype in an escape', '{"name":"a","pairs":{"\\u005f_proto__":"x"}}', 'pairs.__proto__'],
  ])('with %s is rejected with the name of the field', (_, body, path) => {
    const details = expect.arrayContaining([expect.objectContaining({ path })]);
    expect(rejectionOf(() => post({ body }))).toMatchObject({ code: 'VALIDATION_ERROR', details });
  });

  it.each([1e-200, -9.9e-10, 1e16, -1e300])('with the number %d, which no table stores, is rejected', (size) => {
    const message = 'Must be 0, or have a magnitude from 1e-9 to 9007199254740991';
    const rejected = (path: string) =>
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [{ path, message }] });
    expect(() => post({ body: { name: 'a', size } })).toThrow(rejected('size'));
    const crop = { offsets: [0, size] };
    expect(() => post({ body: { name: 'a', crop } })).toThrow(rejected('crop.offsets.1'));
  });

  it.each([0, 1e-9, -1e-9, 0.1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])('may have the number %d', (size) => {
    expect(post({ body: { name: 'a', size } }).body).toEqual({ name: 'a', size });
  });

  it('with a repeated name has its last value', () => {
    expect(post({ body: '{"name":"a","name":"b"}' }).body).toEqual({ name: 'b' });
  });

  it.each([
    ['a hundred of unknown fields', Object.fromEntries(Array.from({ length: 999 }, (_, n) => [`f${n}`, 1]))],
    ['an unknown field with an endless name', { ['x'.repeat(10_000)]: 1 }],
  ])('with %s gets a bounded error response', (_, fields) => {
    const rejection = rejectionOf(() => post({ body: { name: 'a', ...fields } }));
    expect(rejection.code).toBe('VALIDATION_ERROR');
    expect(JSON.stringify(rejection.details).length).toBeLessThan(2_000);
  });

  it.each([
    ['nothing', { headers: { 'content-type': 'application/json' } }, 'The body is empty: send JSON.'],
    ['half a document', { body: '{"name":' }, `${notJson}: Unexpected end of JSON input.`],
    ['no number', { body: '{"name":NaN,"secret":"s3cr3t"}' }, `${notJson}: Unexpected token 'N'.`],
    ['a comma too many', { body: '["s3cr3t",,"a"]' }, `${notJson}: Unexpected token ','.`],
    [
      'a name without quotes',
      { body: '{\n  name: "s3cr3t"\n}' },
      `${notJson}: Expected property name or '}' in JSON at position 4 (line 2 column 3).`,
    ],
    ['eight thousand lists in each other', { body: '['.repeat(8_000) }, `${notJson}: Unexpected end of JSON input.`],
  ])('of %s is INVALID_JSON and says what is wrong', (_, parts, message) => {
    expect(rejectionOf(() => post(parts))).toMatchObject({ code: 'INVALID_JSON', message });
  });

  it.each([
    ['bytes that are not UTF-8', { body: '/w==', isBase64Encoded: true }],
    ['what the gateway makes of such bytes', { body: '{"name":"a\ufffd"}' }],
  ])('of %s is INVALID_JSON and says how to send U+FFFD', (_, parts) => {
    const message = expect.stringContaining('escaped as \\ufffd');
    expect(rejectionOf(() => post(parts))).toMatchObject({ code: 'INVALID_JSON', message });
    expect(post({ body: '{"name":"a\\ufffd"}' }).body).toEqual({ name: 'a\ufffd' });
  });

  it('of eight thousand nested lists is rejected for its type', () => {
    expect(rejectionOf(() => post({ body: '['.repeat(8_000) + ']'.repeat(8_000) })).code).toBe('VALIDATION_ERROR');
  });

  it.each<[string, Record<string, string>]>([
    ['no type', { 'content-type': '' }],
    ['another type', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['compressed bytes', { 'content-encoding': 'gzip' }],
  ])('of %s is UNSUPPORTED_MEDIA_TYPE', (_, headers) => {
    expect(rejectionOf(() => post({ body: { name: 'a' }, headers })).code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('may name its character set', () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect(post({ body: { name: 'a' }, headers }).body).toEqual({ name: 'a' });
  });

  it.each([
    [16 * 1024, undefined],
    [16 * 1024 + 1, 'PAYLOAD_TOO_LARGE'],
  ])('of %i bytes: %s', (bytes, code) => {
    const frame = JSON.stringify({ name: '' }).length;
    const read = () => post({ body: { name: 'x'.repeat(bytes - frame) } });
    if (code === undefined) expect(read).not.toThrow();
    else expect(read).toThrow(expect.objectContaining({ code }));
  });
});

it('a missing field is reported as required', () => {
  expect(rejectionOf(() => post({ body: {} }))).toMatchObject({ details: [{ path: 'name', message: 'Required' }] });
});

describe('a route without a body', () => {
  const id = '01980000-0000-7000-8000-000000000001';
  const read = (parts: GatewayEventOptions) =>
    parseRequest(poke, aGatewayEvent({ method: 'POST', params: { id }, ...parts }));

  it.each([[{}], [{ body: {} }]])('accepts %j', (parts) => expect(() => read(parts)).not.toThrow());

  it('rejects a field with its name', () => {
    const { details } = rejectionOf(() => read({ body: { force: true } }));
    expect(details).toEqual([{ path: 'force', message: 'Unknown field' }]);
  });
});

it.each(['nonsense', '', '../jobs', '%00', 'x'.repeat(10_000), '\u0000'])(
  'a path parameter %j is NOT_FOUND like an unknown id',
  (id) => {
    const rejection = rejectionOf(() => parseRequest(poke, aGatewayEvent({ method: 'POST', params: { id } })));
    expect(rejection).toMatchObject({ code: 'NOT_FOUND', message: 'There is no such thing.' });
  },
);

describe('a query', () => {
  it('repeats a parameter of several values, which API Gateway joins by commas', () => {
    const { query } = parseRequest(listJobsContract, aGatewayEvent({ query: { state: 'queued,failed' } }));
    expect(query.state).toEqual(['queued', 'failed']);
  });

  it('has one parameter per pair of a record', () => {
    expect(get({ state: 'new', 'metadata.customer': '1', 'metadata.a.b': '2' }).query).toEqual({
      state: 'new',
      metadata: { customer: '1', 'a.b': '2' },
    });
  });

  it('has them in the style deepObject too', () => {
    const query = { 'metadata[customer]': '1', 'metadata[a.b]': '2', 'metadata[c[d]]': '3', 'metadata.e': '4' };
    expect(get(query).query).toEqual({ metadata: { customer: '1', 'a.b': '2', 'c[d]': '3', e: '4' } });
  });

  it('with one key in both styles is rejected', () => {
    const { details } = rejectionOf(() => get({ 'metadata.a': '1', 'metadata[a]': '2' }));
    expect(details).toMatchObject([{ path: 'query.metadata[a]' }]);
  });

  it.each([
    ['stat', 'query.stat'],
    ['state.x', 'query.state.x'],
    ['metadata', 'query.metadata'],
    ['metadata.', 'query.metadata.'],
    ['metadata[]', 'query.metadata.'],
    ['metadata[a', 'query.metadata[a'],
    ['metadata[a]b', 'query.metadata[a]b'],
    ['metadata[__proto__]', 'query.metadata[__proto__]'],
    ['state[x]', 'query.state[x]'],
    ['metadata.__proto__', 'query.metadata.__proto__'],
    ['__proto__', 'query.__proto__'],
  ])('with %s is rejected with that name', (name, path) => {
    expect(rejectionOf(() => get({ [name]: 'x' }))).toMatchObject({ details: [{ path }] });
  });

  it('with a repeated parameter is rejected if one value is expected', () => {
    expect(rejectionOf(() => get({ state: 'new,old' }))).toMatchObject({ details: [{ path: 'query.state' }] });
  });

  it('is rejected by a route without a query', () => {
    const details = [{ path: 'query.dry', message: 'Unknown field' }];
    expect(rejectionOf(() => post({ query: { dry: '1' }, body: { name: 'a' } }))).toMatchObject({ details });
  });
});
