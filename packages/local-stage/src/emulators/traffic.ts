import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { interceptRequests } from '../http-server.ts';
import { parseStoreRequest } from '../permissions/key-value-store-requests.ts';
import { type Network, passSlowly } from './slow-network.ts';

const services = ['dynamodb', 'sqs', 's3', 'sfn', 'kms', 'sts', 'eventbridge', 'lambda', 'kvs'] as const;

export type Service = (typeof services)[number];

/** Number of calls by service and operation: `calls.dynamodb.GetItem`. */
export type Calls = Record<Service, Record<string, number>>;

/** An injected fault. */
export type Fault = {
  service: Service;
  /** All operations if undefined. */
  operation?: string;
  /** `error` responds with 500, which AWS clients retry; `reset` closes the connection. */
  kind: 'error' | 'reset';
};

/** Counts the calls to the emulators, and injects faults. */
export type Traffic = {
  /** Intercepts the requests of a server. A request hit by a fault does not reach the emulator. */
  watch(service: Service, server: Server): void;
  calls(): Calls;
  resetCalls(): void;
  /** Starts a fault. Call the returned function to end it. */
  fail(fault: Fault): () => void;
  /** Puts a network between a service and its clients. Call the returned function to end it. */
  slow(service: Service, network: Network): () => void;
};

export function emulatorTraffic(): Traffic {
  let calls: Calls = noCalls();
  const faults = new Set<Fault>();
  const networks = new Map<Service, Network>();

  function count(service: Service, operation: string): void {
    calls[service][operation] = (calls[service][operation] ?? 0) + 1;
  }

  return {
    watch(service, server) {
      interceptRequests(server, (request, response, handle) => {
        const operation = operationOf(service, request);
        count(service, operation);
        const activeFault = [...faults].find(
          (fault) => fault.service === service && (fault.operation ?? operation) === operation,
        );
        const network = networks.get(service);
        if (activeFault) apply(activeFault, service, request, response);
        else if (network) passSlowly(network, { request, response, handle });
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
    slow(service, network) {
      networks.set(service, network);
      return () => networks.delete(service);
    },
  };
}

function noCalls(): Calls {
  return Object.fromEntries(services.map((service) => [service, {}])) as Calls;
}

// S3 requests have no operation header. AWS clients send it as the query parameter `x-id`, also in signed URLs.
function operationOf(service: Service, request: IncomingMessage): string {
  if (service === 's3') {
    const { searchParams } = new URL(request.url ?? '/', 'http://s3');
    return searchParams.get('x-id') ?? request.method ?? 'unknown';
  }
  if (service === 'kvs') return parseStoreRequest(request).operation;
  // The query protocol names it in the body.
  if (service === 'sts') return 'AssumeRole';
  if (service === 'lambda') return 'Invoke';
  return String(request.headers['x-amz-target']).split('.').at(-1) ?? 'unknown';
}

function apply(fault: Fault, service: Service, request: IncomingMessage, response: ServerResponse): void {
  if (fault.kind === 'reset') {
    request.socket.destroy();
    return;
  }
  request.resume();
  if (service === 's3' || service === 'sts') {
    response.writeHead(500, { 'content-type': 'application/xml' });
    response.end('<Error><Code>InternalError</Code><Message>Injected fault</Message></Error>');
    return;
  }
  response.writeHead(500, { 'content-type': 'application/x-amz-json-1.0' });
  response.end('{"__type":"InternalServerError","message":"Injected fault"}');
}
