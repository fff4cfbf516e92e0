declare module 'dynalite' {
  import type { Server } from 'node:http';

  type Options = { path?: string; createTableMs?: number };
  /** A DynamoDB server that does not listen yet. Closing it closes its database too. */
  function dynalite(options?: Options): Server;
  export = dynalite;
}

declare module 's3rver' {
  import type { RequestListener } from 'node:http';

  type Options = { directory: string; silent?: boolean; vhostBuckets?: boolean };

  class S3rver {
    constructor(options: Options);
    getMiddleware(): RequestListener;
    logger: { exceptions: { unhandle(): void }; close(): void };
  }
  export = S3rver;
}
