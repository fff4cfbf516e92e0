import { previewApiKey } from '@media-jobs/core/api';
import { describe, expect, it } from 'vitest';
import { aStubApi } from '../builders/a-stub-api.ts';
import { anApiKey, runCli } from '../builders/run-cli.ts';

const problem = (code: string) => ({ error: { code, message: 'Rejected.', retryable: false, requestId: 'request-1' } });
const lost = { status: 0 };
const outage = { status: 504, body: { message: 'Endpoint request timed out' } };
const throttled = { status: 429, body: { message: 'Too Many Requests' } };
const notFound = { status: 404, body: problem('NOT_FOUND') };
const unauthorized = { status: 401, body: problem('UNAUTHORIZED') };

const keys = [
  { keyId: 'own', preview: previewApiKey(anApiKey) },
  { keyId: 'other', preview: 'nte_ab12…wxyz' },
];

/** Runs a command that sends one DELETE, with these answers to it. */
async function runDelete(line: string, path: string, answers: Parameters<typeof aStubApi>[0][string]) {
  const api = await aStubApi({
    [`DELETE /api/v1/${path}`]: answers,
    'GET /api/v1/keys': { status: 200, body: { keys } },
  });
  return runCli(line.split(' '), { baseUrl: api.origin });
}

describe.each([
  ['delete id', 'jobs/id'],
  ['keys revoke other', 'keys/other'],
  ['providers delete id', 'storage-providers/id'],
])('%s', (line, path) => {
  it.each([
    ['at once', [{ status: 204 }], 0],
    ['before its response was lost', [lost, notFound], 0],
    ['before the gateway timed out', [outage, lost, notFound], 0],
    ['not, because there is no such resource', [notFound], 4],
    ['not, because there is no such resource, after throttling', [throttled, notFound], 4],
    ['not, because a proxy has no such page', [lost, { status: 404 }], 4],
    ['not, because the key is wrong', [lost, unauthorized], 3],
  ])('deletes %s', async (_, answers, exitCode) => {
    expect(await runDelete(line, path, answers)).toMatchObject({ exitCode });
  });
});

it('a key that revokes itself succeeds if it gets 401 after a lost response', async () => {
  expect(await runDelete('keys revoke own', 'keys/own', [lost, unauthorized])).toMatchObject({ exitCode: 0 });
  expect(await runDelete('keys revoke own', 'keys/own', unauthorized)).toMatchObject({ exitCode: 3 });
});

it('a deleted job is reported with what happens to its files', async () => {
  expect(await runDelete('delete id', 'jobs/id', { status: 204 })).toMatchObject({
    out: 'Job id is deleted. Its files in the bucket of the service are removed within minutes.\n',
  });
  expect(await runDelete('delete id --files', 'jobs/id', { status: 204 })).toMatchObject({
    out: 'Job id is deleted. Its files, also those at a storage provider, are removed within minutes.\n',
  });
});
