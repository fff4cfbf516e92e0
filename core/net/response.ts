const parameterPattern = /;\s*([\w-]+\*?)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g;
const encodedWordPattern = /=\?([\w-]+)\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi;

/**
 * The file name that a Content-Disposition header states, as browsers read it (RFC 6266): `filename*` first, then `filename`,
 * in which hosts also write raw UTF-8, percent-encoded UTF-8 and encoded words (RFC 2047). The name may contain anything.
 *
 * @param header as Node gives it: one character for each byte
 */
export function statedFilename(header: string | undefined): string | undefined {
  const parameters = new Map<string, string>();
  for (const [, name = '', value = ''] of `;${header ?? ''}`.matchAll(parameterPattern)) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, unquoted(value.trim()));
  }
  const extended = extendedValue(parameters.get('filename*'));
  const name = extended ?? plainValue(parameters.get('filename') ?? '');
  // Some hosts state the path on their disk.
  return name.split(/[/\\]/).at(-1) || undefined;
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.replace(/^"|"$/g, '').replace(/\\(["\\])/g, '$1') : value;
}

/** A value with its charset (RFC 8187). Undefined if it is not valid. */
function extendedValue(value: string | undefined): string | undefined {
  const [, charset = '', text = ''] = /^([\w-]+)'[^']*'(.*)$/.exec(value ?? '') ?? [];
  return text === '' ? undefined : decode(percentDecoded(text), charset);
}

function plainValue(value: string): string {
  if (/=\?[\w-]+\?[bq]\?/i.test(value)) return value.replace(encodedWordPattern, decodeWord);
  const bytes = Buffer.from(value, 'latin1');
  const text = decode(bytes, 'utf-8') ?? decode(bytes, 'latin1') ?? value;
  return decode(percentDecoded(text), 'utf-8') ?? text;
}

function decodeWord(word: string, charset: string, encoding: string, text: string): string {
  const spaced = text.replaceAll('_', ' ').replaceAll(/=(?=[0-9a-f]{2})/gi, '%');
  const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : percentDecoded(spaced);
  return decode(bytes, charset) ?? word;
}

/** Text with percent-encoded bytes of any charset, such as a segment of a URL's path. */
export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    const bytes = percentDecoded(encoded);
    return decode(bytes, 'utf-8') ?? decode(bytes, 'latin1') ?? encoded;
  });
}

function percentDecoded(text: string): Uint8Array {
  const parts = text.split(/(%[0-9a-f]{2})/i).map((part, index) => {
    return index % 2 === 1 ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part);
  });
  return Buffer.concat(parts);
}

function decode(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The header of a download that is saved under this name, in ASCII: `filename*` has what `filename` cannot. */
export function attachmentHeader(filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const plain = `attachment; filename="${ascii}"`;
  if (ascii === filename) return plain;
  const extended = encodeURIComponent(filename).replace(/['()*]/g, (each) => {
    return `%${each.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return `${plain}; filename*=UTF-8''${extended}`;
}

/** The beginnings of web pages: the commonest of https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type. */
const anyPage = /^(<!doctype html|<html)[\s>]/i;
/** The other ones, for a body that is sent as a page. */
const statedPage = /^<(!--|!doctype|head|script|body|title|meta|style|iframe|h1|div|table|p|a|br?)[\s>/-]/i;

/** The bytes in which a page begins. Space and a comment may come first. */
export const pageHeadBytes = 512;

/** Whether a body is a web page: a sign-in, a preview or an error, in place of a file. */
export function isWebPage(head: Uint8Array, contentType: string | undefined): boolean {
  const text = new TextDecoder('latin1').decode(head.subarray(0, pageHeadBytes));
  const start = text.replace(/^(ï»¿)?\s+|^ï»¿/, '');
  const isStated = contentType === 'text/html' || contentType === 'application/xhtml+xml';
  return anyPage.test(start) || (isStated && (statedPage.test(start) || /<html[\s>]/i.test(start)));
}

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
