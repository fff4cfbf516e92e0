// @module-tag requests
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest } from '../builders/jobs/jobs.ts';
import { aClosedStage, type ClosedStage } from './closed-stage.ts';
import type { RawAnswer, RawRequest } from './raw-request.ts';
import { expectRejection, invalid, invalidUrl, type Rejection } from './rejection.ts';

const invalidJson: Rejection = {
  status: 400,
  code: 'INVALID_JSON',
  message: expect.stringMatching(/^The body is not valid JSON in UTF-8: .{20,100}\.$/s),
};
const empty: Rejection = { ...invalidJson, message: 'The body is empty: send JSON.' };
const notUtf8: Rejection = {
  ...invalidJson,
  message:
    'The body has bytes that are not UTF-8, or the character U+FFFD, which must be escaped as \\ufffd.',
};
const unsupported = (message: string): Rejection => ({
  status: 415,
  code: 'UNSUPPORTED_MEDIA_TYPE',
  message,
});
const otherType = unsupported('Send the body as JSON, with Content-Type: application/json.');
const encoded = unsupported('Send the body uncompressed, without a Content-Encoding.');
const tooLarge = (bytes: number): Rejection => ({
  status: 413,
  code: 'PAYLOAD_TOO_LARGE',
  message: `The body has ${bytes} bytes; the limit is 16384 bytes.`,
});
const notObject = (found: string) => invalid('body', `Must be an object; found ${found}`);
const notNumber = (found: string) => invalid('recipe.crf', `Must be a number; found ${found}`);

const forbidden = invalidUrl('input.url', "The URL's host is the address 10.0.0.1, which is not public");

const good = JSON.stringify(aRequest);
const withCrf = (text: string) => good.replace('28', text);
/** A request with this JSON text as a metadata value. */
const withMetadata = (text: string) => good.replace(/\}$/, `,"metadata":{"a":${text}}}`);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const list = (elements: number) => `[${'0,'.repeat(elements - 1)}0]`;

const rejected: [name: string, body: string | Uint8Array, rejection: Rejection][] = [
  ['nothing', '', empty],
  ['spaces', '  ', empty],
  ['null', 'null', notObject('null')],
  ['an array', '[]', notObject('an array')],
  ['a string', '"mode"', notObject('a string')],
  ['a number', '7', notObject('a number')],
  ['true', 'true', notObject('a boolean')],
  ['half a request', good.slice(0, -1), invalidJson],
  ['a request and more', `${good}{}`, invalidJson],
  ['a comma too many', good.replace(/\}$/, ',}'), invalidJson],
  ['a comment', `/**/${good}`, invalidJson],
  ['bytes that are not UTF-8', '\xff\xfe', notUtf8],
  ['a byte inside that is not UTF-8', good.replace('in.mp4', 'in\xff.mp4'), notUtf8],
  ['an overlong slash in UTF-8', withMetadata('"\xc0\xaf"'), notUtf8],
  ['half a surrogate pair in UTF-8', withMetadata('"\xed\xa0\x80"'), notUtf8],
  [
    'half a surrogate pair in an escape',
    withMetadata('"\\ud800"'),
    invalid('metadata.a', 'Must be valid Unicode, without half of a surrogate pair'),
  ],
  [
    'half a surrogate pair in a key',
    good.replace(/\}$/, ',"metadata":{"\\ud800":"b"}}'),
    invalid('metadata.\ud800', 'Must have keys of 1 to 40 characters, in valid Unicode'),
  ],
  ['U+FFFD', withMetadata('"\xef\xbf\xbd"'), notUtf8],
  ['UTF-16', Buffer.from(good, 'utf16le'), invalidJson],
  ['a NUL', withCrf('28\0'), invalidJson],
  ['a line break inside a text', withMetadata('"a\nb"'), invalidJson],
  ['NaN', withCrf('NaN'), invalidJson],
  ['Infinity', withCrf('Infinity'), invalidJson],
  ['a hexadecimal number', withCrf('0x1c'), invalidJson],
  ['a number as a string', withCrf('"28"'), notNumber('a string')],
  ['a number in a list', withCrf('[28]'), notNumber('an array')],
  ['1e400', withCrf('1e400'), notNumber('Infinity')],
  ['-1e400', withCrf('-1e400'), notNumber('-Infinity')],
  ['__proto__', good.replace('{', '{"__proto__":{"mode":"recipe"},'), invalid('__proto__', 'Unknown field')],
  ['__proto__ in the recipe', withCrf('28,"__proto__":{}'), invalid('__proto__', 'Unknown field')],
  ['__proto__ in metadata', withMetadata('"b","__proto__":"c"'), invalid('__proto__', 'Unknown field')],
  [
    '__proto__ in an escape',
    withMetadata('"b","\\u005f_proto__":"c"'),
    invalid('__proto__', 'Unknown field'),
  ],
  ['constructor', good.replace('{', '{"constructor":{},'), invalid('constructor', 'Unknown field')],
  ['100,000 levels', nested(100_000), tooLarge(200_000)],
  ['8,000 levels', nested(8_000), notObject('an array')],
  ['8,000 levels that are never closed', '['.repeat(8_000), invalidJson],
  [
    '8,000 levels in metadata',
    withMetadata(nested(8_000)),
    invalid('metadata.a', 'Must be a string; found an array'),
  ],
  ['a million elements', list(1_000_000), tooLarge(2_000_001)],
  ['8,000 elements', list(8_000), notObject('an array')],
  ['an unknown field', good.replace('{', '{"priority":1,'), invalid('priority', 'Unknown field')],
  ['an unknown parameter', withCrf('28,"cfr":30'), invalid('recipe.cfr', 'Unknown field')],
  [
    'a forbidden URL that comes second',
    good.replace('in.mp4"', 'in.mp4","url":"http://10.0.0.1/"'),
    forbidden,
  ],
  ['one byte more than 16 KiB', good.padEnd(16_385), tooLarge(16_385)],
  ['17 KiB', good.padEnd(17 * 1024), tooLarge(17 * 1024)],
  ['5 MiB', good.padEnd(5 * 1024 ** 2), tooLarge(5 * 1024 ** 2)],
  ['gzip that is not announced', gzipSync(good), notUtf8],
  [
    'a step whose subtitles would pass for the cues of a sprite',
    JSON.stringify({
      mode: 'pipeline',
      input: aRequest.input,
      output: { format: 'vtt' },
      steps: [
        { name: 'sprite', recipe: { name: 'extract-subtitles' } },
        { recipe: { name: 'extract-subtitles' } },
      ],
    }),
    invalid('steps.0.name', 'A vtt file cannot be called sprite'),
  ],
];

const type = (value: string): RawRequest => ({ headers: [['Content-Type', value]] });
const json = type('application/json').headers ?? [];

const otherHeaders: [name: string, request: RawRequest, rejection: Rejection][] = [
  ['no type', { headers: [] }, otherType],
  ['an empty type', type(''), otherType],
  ['the type of text', type('text/plain'), otherType],
  ['the type of a form', type('application/x-www-form-urlencoded'), otherType],
  ['a type that begins as that of JSON', type('application/jsonp'), otherType],
  ['two types', { headers: [...json, ...json] }, otherType],
  ['gzip', { headers: [...json, ['Content-Encoding', 'gzip']], body: gzipSync(good) }, encoded],
  ['two encodings', { headers: [...json, ['Content-Encoding', 'identity, gzip']] }, encoded],
];

const objectNames = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' };

/** The last column is the job that is created. */
const accepted: [name: string, body: string, job: object][] = [
  ['16 KiB', good.padEnd(16 * 1024), {}],
  ['a name twice, by its last value', withCrf('1,"crf":30'), { request: { recipe: { crf: 30 } } }],
  [
    'a forbidden URL that a second one replaces',
    good.replace('"url"', '"url":"http://127.0.0.1/","url"'),
    { request: { input: aRequest.input } },
  ],
  ['U+FFFD in an escape', withMetadata('"\\ufffd"'), { metadata: { a: '\ufffd' } }],
  ['a byte order mark', `\xef\xbb\xbf${good}`, {}],
  [
    'metadata keys that are names of Object.prototype',
    JSON.stringify({ ...aRequest, metadata: objectNames }),
    { metadata: objectNames },
  ],
];

let world: ClosedStage;
beforeAll(async () => {
  world = await aClosedStage();
});
afterAll(() => world?.stop());

const submit = ({ headers = json, body = good }: RawRequest): Promise<RawAnswer> =>
  world.rawAs(world.alice.key, { method: 'POST', target: '/api/v1/jobs', headers, body });

describe('a body of', () => {
  it.each(rejected)('%s is rejected', async (_, body, rejection) => {
    expectRejection(await submit({ body }), rejection);
  });

  it.each(accepted)('%s is accepted', async (_, body, job) => {
    const { status, text } = await submit({ body });
    expect({ status, job: JSON.parse(text) }).toMatchObject({ status: 201, job });
  });
});

describe('a body with', () => {
  it.each(otherHeaders)('%s is rejected', async (_, request, rejection) => {
    expectRejection(await submit(request), rejection);
  });
});
