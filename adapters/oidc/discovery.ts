import { FetchError } from 'aws-jwt-verify/error';
import * as z from 'zod';
import type { FetchDocument } from './fetch-document.ts';

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

/**
 * Where a provider's keys are, as its discovery document says (OpenID Connect Discovery 1.0, section 4).
 * @throws FetchError where the document cannot be had, or belongs to another issuer
 */
export async function discoverJwksUri(issuer: string, fetch: FetchDocument): Promise<string> {
  const uri = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const text = new TextDecoder().decode(await fetch(uri));
  const document = parse(text, uri);
  if (document.issuer !== issuer) {
    throw new FetchError(uri, new Error(`It names the issuer ${document.issuer}, not ${issuer}`));
  }
  return document.jwks_uri;
}

function parse(text: string, uri: string): z.output<typeof discovery> {
  try {
    return discovery.parse(JSON.parse(text));
  } catch (cause) {
    throw new FetchError(uri, cause);
  }
}
