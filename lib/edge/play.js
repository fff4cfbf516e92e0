import cf from 'cloudfront';
import crypto from 'crypto';

// A CloudFront Function (runtime 2.0) for /play/<token>/<file>: verifies the token that core/playback/edge-token.ts makes, and
// replaces it by the folder of the files in the bucket, so that one copy is cached for all viewers.

const store = cf.kvs();
const anyOrigin = { value: '*' };

/** A file of the media bucket, or after `@<name>` one of a bucket of the account. Nothing in it is encoded, and no name begins with a dot. */
const path =
  /^\/play\/([A-Za-z0-9_-]{1,800})\.([A-Za-z0-9_-]{43})\/(?:@([a-z0-9-]{1,40})\/)?([A-Za-z0-9_-][A-Za-z0-9._-]{0,63})$/;

async function handler(event) {
  const request = event.request;
  if (request.method === 'OPTIONS') return preflight;
  const parts = path.exec(request.uri);
  if (parts === null) return refused;
  const fields = Buffer.from(parts[1], 'base64url').toString().split('~');
  if (fields.length !== 6 || (fields[0] !== '0' && fields[0] !== '1')) return refused;
  const key = await read(`key.${fields[0]}`);
  if (key === undefined) return refused;
  const secret = key.slice(key.indexOf('.') + 1);
  const signature = crypto.createHmac('sha256', secret).update(parts[1]).digest('base64url');
  if (!isEqual(signature, parts[2])) return refused;
  const issuedAt = parseInt(fields[1], 36);
  if (Date.now() >= parseInt(fields[2], 36) * 1000 || fields[4] !== (parts[3] || '')) return refused;
  const before = await read('before');
  if (before === undefined || issuedAt <= parseInt(before, 36)) return refused;
  if (await store.exists(fields[3])) {
    const revokedAt = await read(fields[3]);
    if (revokedAt === undefined || issuedAt <= parseInt(revokedAt, 36)) return refused;
  }
  request.uri = `/${fields[5]}${parts[4]}`;
  request.querystring = {};
  return request;
}

/** The value of an entry; undefined if there is none, for which `get` throws. */
async function read(name) {
  try {
    return await store.get(name);
  } catch (_error) {
    return undefined;
  }
}

/** Compares without telling by its time how much is equal. */
function isEqual(one, other) {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

const refused = {
  statusCode: 403,
  statusDescription: 'Forbidden',
  headers: { 'access-control-allow-origin': anyOrigin, 'cache-control': { value: 'no-store' } },
};

const preflight = {
  statusCode: 204,
  statusDescription: 'No Content',
  headers: {
    'access-control-allow-origin': anyOrigin,
    'access-control-allow-methods': { value: 'GET, HEAD' },
    'access-control-allow-headers': { value: 'Range, If-Range' },
    'access-control-max-age': { value: '86400' },
  },
};
