import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { AppError, invalidRequest } from '../../../core/errors.ts';

/** The request is part of the record, which DynamoDB limits; 16 KiB leaves room for all else in it. */
const maxBodyBytes = 16 * 1024;

/**
 * The JSON of a request's body; undefined where there is no body at all and no type that announces one.
 * @throws AppError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON, or VALIDATION_ERROR for a `__proto__`
 */
export function parseJsonBody(event: APIGatewayProxyEventV2, { required }: { required: boolean }): unknown {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.byteLength === 0 && !required) return undefined;
  if (bytes.byteLength > maxBodyBytes) {
    const message = `The body is ${bytes.byteLength} bytes; at most ${maxBodyBytes} fit.`;
    throw new AppError('PAYLOAD_TOO_LARGE', message);
  }
  refuseOtherTypes(event.headers);
  const value = parseJson(bytes);
  refusePrototypes(value);
  return value;
}

function refuseOtherTypes(headers: APIGatewayProxyEventV2['headers']): void {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    const message = 'Send the body as JSON, with Content-Type: application/json.';
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', message);
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, without a Content-Encoding.');
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // The gateway hands JSON over as text, with U+FFFD in place of each byte that is not UTF-8.
    if (text.includes('\ufffd')) throw new TypeError('The body holds U+FFFD');
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('INVALID_JSON', 'The body is not valid JSON in UTF-8.', { cause });
  }
}

/** Schemas of records drop this name in silence; no field and no pair may be called so. Not recursive: depth is free. */
function refusePrototypes(value: unknown): void {
  const parts: unknown[] = [value];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    if (Object.hasOwn(part, '__proto__')) {
      throw invalidRequest([{ path: '__proto__', message: 'Unknown field' }]);
    }
    for (const inner of Object.values(part)) parts.push(inner);
  }
}
