import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { BucketAccess } from '../../../../adapters/s3/read-object.ts';
import { anS3ClientAt } from '../../../builders/storage/a-media-bucket.ts';
import { anHttpServer } from '../../http/builders/servers.ts';

export type Store = BucketAccess & { requests: IncomingHttpHeaders[] };

export type StoreAnswer = {
  /** The requested bytes; `response` has sent their Content-Length already. */
  rest: Buffer;
  response: ServerResponse;
  /** Number of GET requests so far, including this one. */
  count: number;
};

/** A fake S3 with one object. `answer` sends the body of a GET; HEAD behaves like S3. */
export async function aStore(
  content: Buffer,
  answer: (answer: StoreAnswer) => void,
  options?: { socketTimeout?: number },
): Promise<Store> {
  const requests: IncomingHttpHeaders[] = [];
  const port = await anHttpServer(({ method, headers }, response) => {
    const [, first = '0', last = `${content.length - 1}`] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const rest = content.subarray(Number(first), Number(last) + 1);
    response.writeHead(headers.range ? 206 : 200, { 'content-length': rest.length, etag: '"one"' });
    if (method === 'HEAD') return response.end();
    requests.push(headers);
    answer({ rest, response, count: requests.length });
  });
  return { client: anS3ClientAt(`http://127.0.0.1:${port}`, options), bucket: 'media', requests };
}

/** Sends half of the remaining bytes and breaks the connection. */
export function breakOff({ rest, response }: StoreAnswer): void {
  response.write(rest.subarray(0, rest.length / 2), () => response.destroy());
}
