import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

const { WEBHOOK_SECRET, PORT = '8080' } = process.env;
if (!WEBHOOK_SECRET?.startsWith('whsec_')) throw new Error('Set WEBHOOK_SECRET to the secret of your webhooks');
const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
const toleranceSeconds = 5 * 60;

/** Verifies the signature and the age of a webhook. After a rotation there are several signatures; one must match. */
function isValidSignature(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= toleranceSeconds)) return false;
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${digest}`);
  return String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

// Replace with a unique column in your database, so that duplicates are detected after a restart.
const seen = new Set<string>();

async function receive(request: IncomingMessage): Promise<204 | 401> {
  const body = await buffer(request);
  if (!isValidSignature(request.headers, body)) return 401;

  const id = String(request.headers['webhook-id']);
  if (!seen.has(id)) {
    const { data } = JSON.parse(body.toString());
    // Replace with your queue. Do slow work after the response.
    console.log(`${data.jobId} ${data.state}`);
    seen.add(id);
  }
  return 204;
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    // The connection broke or the handler failed. A status other than 2xx requests another attempt.
    () => response.writeHead(500).end(),
  );
});

server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`Listening on port ${address?.port}`);
});
