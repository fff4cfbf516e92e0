import { HttpRequest } from '@smithy/protocol-http';
import type { RequestSigner } from '@smithy/types';
import type { SignedRequest } from '../../core/worker/open-job.ts';

/** What a signed request is found by: its method, path and parameters, without the signature. */
export type RequestName = { method: string; path: string; query: Readonly<Record<string, string>> };

/**
 * Signs the requests of an S3 client with URLs that somebody else has signed, so that the client needs no credentials. Such
 * a URL holds for the headers that S3 does not demand to be signed: ranges, conditions and types.
 */
export function presignedRequests(find: (name: RequestName) => Promise<SignedRequest>): RequestSigner {
  return {
    async sign(request) {
      const { method, path, query = {}, headers } = request;
      // The SDK names the operation.
      const { 'x-id': _, ...rest } = query as Record<string, string>;
      const { url } = await find({ method, path: decodeURIComponent(path), query: rest });
      const { search } = new URL(url);
      const unsigned = Object.entries(headers).filter(
        ([name]) => !/^(authorization|x-amz-(?!checksum).*)$/i.test(name),
      );
      const signed = HttpRequest.clone(request);
      signed.headers = Object.fromEntries(unsigned);
      signed.query = Object.fromEntries(new URLSearchParams(search));
      return signed;
    },
  };
}

export function nameOfSigned({ method, url }: SignedRequest): RequestName {
  const { pathname, searchParams } = new URL(url);
  const query = [...searchParams].filter(([name]) => !/^X-Amz-/i.test(name));
  return { method, path: decodeURIComponent(pathname), query: Object.fromEntries(query) };
}

/** The name of a request as text, the same for every order of its parameters. */
export function formatName({ method, path, query }: RequestName): string {
  const parameters = Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([method, path, parameters]);
}
