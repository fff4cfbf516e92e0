/**
 * The credential of a request, exactly as sent, from `Authorization: Bearer` (the scheme in any case, RFC 9110
 * section 11.1) or `X-API-KEY`. Both may be sent if they are equal. Undefined where there is none, or more than one.
 * Header names are in lower case; a header that was sent twice arrives joined by a comma and so matches no key.
 */
export function readCredential(headers: Record<string, string | undefined>): string | undefined {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization === undefined) return apiKey;
  const bearer = /^bearer (.*)$/is.exec(authorization)?.[1];
  if (apiKey === undefined || apiKey === bearer) return bearer;
  return undefined;
}
