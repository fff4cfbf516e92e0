import { FetchError } from 'aws-jwt-verify/error';
import * as z from 'zod';

/** Fetches a document of the identity provider. Throws the library's FetchError on failure. */
export type FetchDocument = (uri: string) => Promise<ArrayBuffer>;

const timeoutMs = 3_000;

const discoveryDocument = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Uses Node's fetch: the library's fetcher supports https only, and the local provider uses http. */
export const fetchDocument: FetchDocument = async (uri) => {
  try {
    const response = await fetch(uri, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.arrayBuffer();
  } catch (cause) {
    throw new FetchError(uri, cause);
  }
};

/**
 * Reads the URL of a provider's keys from its discovery document (OpenID Connect Discovery 1.0, section 4).
 * @throws FetchError if the document cannot be fetched or belongs to another issuer
 */
export async function discoverJwksUri(issuer: string, fetch: FetchDocument): Promise<string> {
  const uri = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const text = new TextDecoder().decode(await fetch(uri));
  const document = parseDocument(text, uri);
  if (document.issuer !== issuer) {
    throw new FetchError(uri, new Error(`It names the issuer ${document.issuer}, not ${issuer}`));
  }
  return document.jwks_uri;
}

function parseDocument(text: string, uri: string): z.output<typeof discoveryDocument> {
  try {
    return discoveryDocument.parse(JSON.parse(text));
  } catch (cause) {
    throw new FetchError(uri, cause);
  }
}
