import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { interceptRequests } from '../http-server.ts';

export type Service = 'dynamodb' | 'sqs' | 's3' | 'sfn';

/** How many calls the emulators have had, by service and operation: `calls.dynamodb.GetItem`. */
export type Calls = Record<Service, Record<string, number>>;

/** What happens to the calls of a service while a fault lasts. */
export type Fault = {
  service: Service;
  /** Only this operation; every one when left out. */
  operation?: string;
  /** `error` answers 500, which clients of AWS try again; `reset` breaks the connection. */
  kind: 'error' | 'reset';
};

/** Counts the calls to the emulators, and makes them fail on demand. */
export type Traffic = {
  /** Watches a server from now on; its own listener sees only what no fault takes. */
  watch(service: Service, server: Server): void;
  calls(): Calls;
  /** Starts counting from zero. */
  resetCalls(): void;
  /** Begins a fault; the function returned ends it. */
  fail(fault: Fault): () => void;
};

/** A counter of its own for each stage. */
export function emulatorTraffic(): Traffic {
  let calls: Calls = noCalls();
  const faults = new Set<Fault>();

  function count(service: Service, operation: string): void {
    calls[service][operation] = (calls[service][operation] ?? 0) + 1;
  }

  return {
    watch(service, server) {
      interceptRequests(server, (request, response, handle) => {
        const operation = operationOf(service, request);
        count(service, operation);
        const fault = [...faults].find(
          (one) => one.service === service && (one.operation ?? operation) === operation,
        );
        if (fault) apply(fault, service, request, response);
        else handle();
      });
    },
    calls: () => structuredClone(calls),
    resetCalls() {
      calls = noCalls();
    },
    fail(fault) {
      faults.add(fault);
      return () => faults.delete(fault);
    },
  };
}

function noCalls(): Calls {
  return { dynamodb: {}, sqs: {}, s3: {}, sfn: {} };
}

// S3 has no operation in a header; clients of AWS put it into the query, a signed URL as well.
function operationOf(service: Service, request: IncomingMessage): string {
  if (service === 's3') {
    const { searchParams } = new URL(request.url ?? '/', 'http://s3');
    return searchParams.get('x-id') ?? request.method ?? 'unknown';
  }
  return String(request.headers['x-amz-target']).split('.').at(-1) ?? 'unknown';
}

function apply(fault: Fault, service: Service, request: IncomingMessage, response: ServerResponse): void {
  if (fault.kind === 'reset') {
    request.socket.destroy();
    return;
  }
  request.resume();
  if (service === 's3') {
    response.writeHead(500, { 'content-type': 'application/xml' });
    response.end('<Error><Code>InternalError</Code><Message>Injected fault</Message></Error>');
    return;
  }
  response.writeHead(500, { 'content-type': 'application/x-amz-json-1.0' });
  response.end('{"__type":"InternalServerError","message":"Injected fault"}');
}
