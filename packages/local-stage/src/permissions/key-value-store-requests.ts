import type { IncomingMessage } from 'node:http';
import type { AccessRequest } from './access-request.ts';

const operations: Record<string, string> = {
  GET: 'GetKey',
  PUT: 'PutKey',
  DELETE: 'DeleteKey',
};

/** The operation of a request to the API of a store: `/key-value-stores/<ARN>[/keys[/<key>]]`. */
export function parseStoreRequest({ method = 'GET', url = '/' }: Pick<IncomingMessage, 'method' | 'url'>) {
  const { pathname, searchParams: query } = new URL(url, 'http://kvs');
  const [, , arn = '', keys, key] = pathname.split('/').map(decodeURIComponent);
  const onStore = keys === undefined ? 'DescribeKeyValueStore' : method === 'POST' ? 'UpdateKeys' : 'ListKeys';
  return { arn, key: key ?? '', query, operation: key === undefined ? onStore : (operations[method] ?? method) };
}

/** The permission that a request to a store needs (Service Authorization Reference, "CloudFront KeyValueStore"). */
export function keyValueStoreAccess(request: IncomingMessage): AccessRequest[] {
  const { arn, operation } = parseStoreRequest(request);
  return [{ action: `cloudfront-keyvaluestore:${operation}`, resourceArn: arn }];
}
