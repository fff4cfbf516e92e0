/** The headers of a request: `Headers`, or a record as Node and Lambda have it. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a verified webhook says. `id` is the same in every attempt: ignore one that you have handled. */
export type VerifiedWebhook<Data> = { id: string; data: Data; timestamp: number };

export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

const toleranceSeconds = 300;

/**
 * Verifies the signature and the time of a webhook (Standard Webhooks 1.0) and returns its content.
 *
 * @param rawBody the bytes or text of the request as they came: parsed and written again, they have another signature
 * @param secret `whsec_…` of the settings, or several while one is being rotated
 * @throws WebhookError unless the request is from the service and at most five minutes old
 */
export async function verify<Data>(
  rawBody: string | Uint8Array<ArrayBuffer> | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): Promise<VerifiedWebhook<Data>> {
  const body = toBytes(rawBody);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError('The request has no webhook headers.');
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= toleranceSeconds)) throw new WebhookError('The webhook is more than five minutes old.');
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const sent = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  for (const text of [secret].flat()) {
    const key = await importSecret(text);
    for (const signature of sent) {
      const bytes = decodeBase64(signature);
      if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
        return { id, ...JSON.parse(new TextDecoder().decode(body)) };
      }
    }
  }
  throw new WebhookError('The signature does not match the body: check the secret, and pass the body unparsed.');
}

function toBytes(rawBody: string | Uint8Array<ArrayBuffer> | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new TypeError('Pass the raw body of the request, as text or bytes: a parsed body cannot be verified.');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

async function importSecret(secret: string) {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!bytes?.length) throw new TypeError('The secret of webhooks begins with whsec_; read it in the dashboard.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
