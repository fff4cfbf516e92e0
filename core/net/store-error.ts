/** Error codes of stores are a few capitalised words. Anything else could be a secret that a host repeats. */
const codePattern = /^[A-Z][A-Za-z]{2,47}$/;

/** The one reason that S3 tells in its message only, under the code `AccessDenied`: the URL was signed for a time that is over. */
const expired = 'Request has expired';

/**
 * The code in an error document of S3, Google Cloud Storage or Azure, such as `AccessDenied`; undefined if it is none. What
 * else such a document says, for example the request that was signed, is never returned.
 */
export function storeErrorCode(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): string | undefined {
  const { 'x-ms-error-code': ofAzure } = headers;
  const [, inBody] = /<Error\b.*?<Code>([^<]*)<\/Code>/s.exec(body) ?? [];
  const code = typeof ofAzure === 'string' ? ofAzure : inBody;
  if (code === undefined || !codePattern.test(code)) return undefined;
  return body.includes(`<Message>${expired}</Message>`) ? `${code}: ${expired}` : code;
}
