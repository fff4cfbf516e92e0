import { describe, expect, it } from 'vitest';
import { leaksInLogLine, leaksInResponse } from './secrets.ts';

const key = `nte_${'aB3'.repeat(16)}`;
const token = `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJl`;
const secret = `whsec_${'QUJD'.repeat(10)}=`;
const signed = 'https://media.example/jobs/1/1/a.mp4?X-Amz-Expires=3600&X-Amz-Signature=5d1f';
const withUser = 'https://user:secret@example.com/in.mp4';
const all = [
  ['an API key', key],
  ['a session token', token],
  ['a signing secret', secret],
  ['the user info of a URL', withUser],
  ['a signature of a URL', signed],
  ['a signature of a URL', `https://api.example/a.mp4?o=1&e=t0&s=${'aB-'.repeat(7)}c`],
] as const;

const aResponse = (differences: object = {}) => ({
  method: 'GET',
  path: '/api/v1/jobs',
  status: 200,
  body: '{}',
  ...differences,
});

describe('the search for secrets', () => {
  it.each(all)('finds %s in a log line, and does not repeat it in its report', (kind, text) => {
    const leaks = leaksInLogLine(`{"level":"INFO","message":"Job taken","note":"${text}"}`);
    expect(leaks).toMatchObject([{ kind }]);
    expect(leaks[0]?.where).not.toContain(text);
  });

  it.each(all)('finds %s in an error', (kind, text) => {
    const body = JSON.stringify({ error: { message: `Not good: ${text}` } });
    expect(leaksInResponse(aResponse({ status: 400, body }))).toMatchObject([{ kind }]);
  });

  it.each([
    [{ method: 'POST', path: '/api/v1/keys', status: 201, body: JSON.stringify({ key }) }],
    [{ path: '/api/v1/settings/webhook/secret', body: JSON.stringify({ secret }) }],
    [{ method: 'POST', path: '/api/v1/webhook-endpoints', status: 201, body: JSON.stringify({ secret }) }],
    [{ body: JSON.stringify({ output: { signedUrl: signed } }) }],
    [{ body: JSON.stringify({ request: { input: { url: withUser } } }) }],
    [{ path: '/api/v1/openapi.json', body: signed }],
  ])('ignores an answer that is meant to hold the secret: %o', (answer) => {
    expect(leaksInResponse(aResponse(answer))).toEqual([]);
  });

  it("finds a content key in a log line, and in a job's request, which has none", () => {
    const request = { recipe: { name: 'hls', encryption: { scheme: 'aes-128', key: '0aF9'.repeat(8) } } };
    const body = JSON.stringify({ request });
    const found = [...leaksInLogLine(body), ...leaksInResponse(aResponse({ body }))];
    expect(found).toMatchObject([{ kind: 'a content key' }, { kind: 'a content key' }]);
    expect(JSON.stringify(found)).not.toContain('0aF9'.repeat(8));
  });

  it('finds nothing in usual logs and answers', () => {
    const line = '{"requestId":"1","jobId":"0199c3a4","message":"GET https://media.example/in.mp4 answered 404"}';
    expect(leaksInLogLine(line)).toEqual([]);
    expect(leaksInResponse(aResponse({ body: '{"keys":[{"preview":"nte_ab12…wxyz"}]}' }))).toEqual([]);
  });
});
