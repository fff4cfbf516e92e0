import { randomUUID } from 'node:crypto';
import { invalid, notFound, type Rejection } from './rejection.ts';

const noPath = notFound('There is nothing at this path.');
const noFile = notFound('There is no such file.');
const noJob = notFound('There is no such job.');
const takes = (methods: string): Rejection => ({
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
  message: `This path supports ${methods}.`,
});
const badCursor: Rejection = {
  status: 400,
  code: 'INVALID_CURSOR',
  message:
    'cursor: not a cursor of this list. Send the nextCursor of an earlier response, unchanged and with the same filters.',
};
const badLimit = invalid('query.limit', 'Must be a whole number from 1 to 100');
const unknownQuery = (name: string) => invalid(`query.${name}`, 'Unknown field');

const base64url = (text: string) => Buffer.from(text).toString('base64url');

export const jobs = '/api/v1/jobs';
const id = randomUUID();

/** Request targets that match no route or have an invalid job id. */
export const hostilePaths: [path: string, rejection: Rejection][] = [
  [`${jobs}/..`, noJob],
  [`${jobs}/../keys`, noPath],
  [`${jobs}/%2e%2e`, noJob],
  [`${jobs}/%2e%2e/keys`, noPath],
  [`${jobs}/..%2fkeys`, noJob],
  [`${jobs}/..%252fkeys`, noJob],
  ['/api%2fv1%2fjobs', noPath],
  [`${jobs}%2f${id}`, noPath],
  [`${jobs}/${id}%2flog`, noJob],
  [`${jobs}/%00`, noJob],
  [`${jobs}/%0d%0aX-Injected:%201`, noJob],
  [`${jobs}/%ff`, noJob],
  [`${jobs}/%F0%9F%8E%AC`, noJob],
  [`${jobs}/__proto__`, noJob],
  [`${jobs}/JOB%23${id}`, noJob],
  [`${jobs}/${id}'%20OR%201=1`, noJob],
  [`${jobs}/${'x'.repeat(8_000)}`, noJob],
  [`${jobs}/${id}`, noJob],
  [`${jobs}/`, noPath],
  [`${jobs}/${id}/`, noPath],
  [`/api/v1//jobs`, noPath],
  ['/API/V1/JOBS', noPath],
  [`${jobs}#fragment`, noPath],
  ['*', noPath],
  [`${jobs}/${id}/files/hls.m3u8`, noPath],
  [`${jobs}/${id}/files/output/..%2fhls.m3u8`, noFile],
  [`${jobs}/${id}/files/output/%00`, noFile],
  [`${jobs}/${id}/files/..%2foutput/hls.m3u8`, noFile],
  [`${jobs}/${id}/files/output/${'x'.repeat(201)}`, noFile],
  [`http://evil.example${jobs}`, noPath],
];

export const hostileMethods: [method: string, path: string, rejection: Rejection][] = [
  ['PATCH', jobs, takes('GET, POST')],
  ['DELETE', jobs, takes('GET, POST')],
  ['TRACE', jobs, takes('GET, POST')],
  ['PROPFIND', jobs, takes('GET, POST')],
  ['QUERY', jobs, takes('GET, POST')],
  ['PUT', `${jobs}/${id}`, takes('DELETE, GET')],
  ['GET', `${jobs}/${id}/cancel`, takes('POST')],
  ['POST', '/api/v1/recipes', takes('GET')],
  ['DELETE', '/api/v1/settings', takes('GET, POST, PUT')],
  ['GET', `/api/v1/keys/${id}`, takes('DELETE')],
  ['PATCH', `${jobs}/`, noPath],
];

/** Queries of the job list. */
export const hostileQueries: [query: string, rejection: Rejection][] = [
  ...['0', '-1', '1000000000', '1e9', 'abc', '', '101', '2.5', '%2B5', '%00', '%ff', '1&limit=2'].map(
    (limit): [string, Rejection] => [`limit=${limit}`, badLimit],
  ),
  ...['', 'abc', '%00', 'null', 'a'.repeat(8_000), base64url(`${id}.0123456789abcdef`)].map(
    (cursor): [string, Rejection] => [`cursor=${cursor}`, badCursor],
  ),
  ['limit[]=1', unknownQuery('limit[]')],
  ['__proto__=1', unknownQuery('__proto__')],
  ['constructor=1', unknownQuery('constructor')],
  ['ownerId=bob', unknownQuery('ownerId')],
  ['%zz=1', unknownQuery('%zz')],
  [
    'createdAfter=yesterday',
    invalid('query.createdAfter', 'Must be a time with an offset, such as 2026-03-01T12:00:00Z'),
  ],
  [
    'createdAfter=2026-03-01T12:00:00+00:00',
    invalid(
      'query.createdAfter',
      'Must be a time with an offset, such as 2026-03-01T12:00:00Z; in a URL, write + as %2B',
    ),
  ],
];
