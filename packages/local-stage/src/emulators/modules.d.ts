declare module 'dynalite' {
  import type { Server } from 'node:http';

  type Options = { path?: string; createTableMs?: number };
  /** Creates a DynamoDB server that does not listen yet. Closing it closes its database. */
  function dynalite(options?: Options): Server;
  export = dynalite;
}

declare module 's3rver' {
  import type { RequestListener } from 'node:http';
  import type { Readable } from 'node:stream';

  type Options = { directory: string; silent?: boolean; vhostBuckets?: boolean };
  type Context = {
    method: string;
    path: string;
    query: Record<string, string | undefined>;
    headers: Record<string, string | undefined>;
    req: Readable;
    type: string;
    body: unknown;
    status: number;
    set(name: string, value: string): void;
  };
  type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
  type Part = { number: number; etag: string };
  type StoredObject = { key: string; size: number; lastModifiedDate: Date; metadata: { etag: string } };

  class S3rver {
    constructor(options: Options);
    getMiddleware(): RequestListener;
    middleware: Middleware[];
    store: {
      getResourcePath(bucket: string, key: undefined, resource: 'uploads'): string;
      getResourcePath(bucket: string, key: string, resource: 'object'): string;
      /** Rejects if there is no such object. */
      getMetadata(bucket: string, key: string): Promise<{ etag: string; 'content-length': string }>;
      getObject(bucket: string, key: string, range?: { start: number; end?: number | object }): Promise<object | null>;
      getBucket(bucket: string): Promise<object | undefined>;
      listObjects(
        bucket: string,
        options: { prefix: string; startAfter: string; maxKeys: number },
      ): Promise<{ objects: StoredObject[]; isTruncated: boolean }>;
      putPart(bucket: string, uploadId: string, partNumber: string, content: Readable): Promise<{ md5: string }>;
      deleteObject(bucket: string, key: string): Promise<void>;
      putObjectMultipart(bucket: string, uploadId: string, parts: Part[]): Promise<unknown>;
    };
    logger: { exceptions: { unhandle(): void }; close(): void };
  }
  export = S3rver;
}

declare module 's3rver/lib/models/error.js' {
  class S3Error extends Error {
    constructor(code: string, message: string);
  }
  export = S3Error;
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { AdapterFactory } from 'oidc-provider';

  /** Storage in memory, of this provider alone. */
  export function createMemoryAdapter(): AdapterFactory;
}
