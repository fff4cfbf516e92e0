// @module-tag requests
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { aRequest } from '../builders/jobs/jobs.ts';
import { aClosedStage, type ClosedStage } from './closed-stage.ts';
import type { RawAnswer, RawRequest } from './raw-request.ts';
import { expectRejection, invalid, invalidUrl, type Rejection } from './rejection.ts';

const invalidJson: Rejection = {
  status: 400,
  code: 'INVALID_JSON',
  message: expect.stringMatching(/^The body is not valid JSON in UTF-8: .{20,100}\.$/s),
};
const notUtf8: Rejection = {
  ...invalidJson,
  message: 'The body has bytes that are not UTF-8, or the character U+FFFD, which must be escaped as \\ufffd.',
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

const halfPair = 'Must be valid Unicode, without half of a surrogate pair';
const forbidden = invalidUrl('input.url', "The URL's host is the address 10.0.0.1, which is not public");

const good = JSON.stringify(aRequest);
const withCrf = (text: string) => good.replace('28', text);
/** A request with this JSON text as a metadata value. */
const withMetadata = (text: string) => good.replace(/\}$/, `,"metadata":{"a":${text}}}`);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const rejected: [name: string, body: string | Uint8Array, rejection: Rejection][] = [
  ['a request and more', `${good}{}`, invalidJson],
  ['a byte inside that is not UTF-8', good.replace('in.mp4', 'in\xff.mp4'), notUtf8],
  ['an overlong slash in UTF-8', withMetadata('"\xc0\xaf"'), notUtf8],
  ['half a surrogate pair in UTF-8', withMetadata('"\xed\xa0\x80"'), notUtf8],
  ['half a surrogate pair in an escape', withMetadata('"\\ud800"'), invalid('metadata.a', halfPair)],
  [
    'half a surrogate pair in a key',
    good.replace(/\}$/, ',"metadata":{"\\ud800":"b"}}'),
    invalid('metadata', halfPair),
  ],
  [
    'half a surrogate pair in a tag of the file',
    JSON.stringify({
      ...aRequest,
      ...{ output: { format: 'mp3' }, recipe: { name: 'extract-audio', tags: { title: 'a\ud800' } } },
    }),
    invalid('recipe.tags.title', halfPair),
  ],
  ['U+FFFD', withMetadata('"\xef\xbf\xbd"'), notUtf8],
  ['UTF-16', Buffer.from(good, 'utf16le'), invalidJson],
  ['a NUL', withCrf('28\0'), invalidJson],
  ['a line break inside a text', withMetadata('"a\nb"'), invalidJson],
  ['100,000 levels', nested(100_000), tooLarge(200_000)],
  ['8,000 levels in metadata', withMetadata(nested(8_000)), invalid('metadata.a', 'Must be a string; found an array')],
  [
    'an unknown parameter',
    withCrf('28,"cfr":30'),
    invalid(
      'recipe.cfr',
      'Unknown field; the recipe has crf, targetVmaf, targetSizeMb, preset, maxWidth, maxHeight, deinterlace, audioBitrate',
    ),
  ],
  ['a forbidden URL that comes second', good.replace('in.mp4"', 'in.mp4","url":"http://10.0.0.1/"'), forbidden],
  ['5 MiB', good.padEnd(5 * 1024 ** 2), tooLarge(5 * 1024 ** 2)],
  ['gzip that is not announced', gzipSync(good), notUtf8],
  [
    'a step whose subtitles would pass for the cues of a sprite',
    JSON.stringify({
      mode: 'pipeline',
      input: aRequest.input,
      output: { format: 'vtt' },
      steps: [{ name: 'sprite', recipe: { name: 'extract-subtitles' } }, { recipe: { name: 'extract-subtitles' } }],
    }),
    invalid('steps.0.name', 'A vtt file cannot be called sprite'),
  ],
];

const type = (value: string): RawRequest => ({ headers: [['Content-Type', value]] });
const json = type('application/json').headers ?? [];

const otherHeaders: [name: string, request: RawRequest, rejection: Rejection][] = [
  ['a type that begins as that of JSON', type('application/jsonp'), otherType],
  ['two types', { headers: [...json, ...json] }, otherType],
  ['two encodings', { headers: [...json, ['Content-Encoding', 'identity, gzip']] }, encoded],
];

const objectNames = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' };

/** The last column is the job that is created. */
const accepted: [name: string, body: string, job: object][] = [
  [
    'a forbidden URL that a second one replaces',
    good.replace('"url"', '"url":"http://127.0.0.1/","url"'),
    { request: { input: aRequest.input } },
  ],
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

it.each([
  ['/api/v1/presets', { name: 'deep' }],
  ['/api/v1/batches', { manifestUrl: 'https://example.com/m' }],
])('7,000 levels of a request in the body of %s are rejected', async (target, body) => {
  const deep = good.replace('28', nested(7_000));
  const answer = await world.rawAs(world.alice.key, {
    method: 'POST',
    target,
    headers: [...json, ['Idempotency-Key', 'deep']],
    body: `${JSON.stringify(body).slice(0, -1)},"request":${deep}}`,
  });
  expectRejection(answer, invalid(`request.recipe.crf${'.0'.repeat(22)}`, 'Must not be nested in more than 24 levels'));
});

it.each(otherHeaders)('a body with %s is rejected', async (_, request, rejection) => {
  expectRejection(await submit(request), rejection);
});
