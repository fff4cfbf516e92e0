import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { type ObservedCall, writeCall } from './observed-call.ts';

/**
 * Loaded before a function by `preload`: writes each of its AWS calls with its input to standard output, and each
 * invocation once its answer is sent. The function itself is the deployed one.
 */
const services = new Map<string, ObservedCall['service']>(
  (['DYNAMODB', 'SQS', 'S3', 'SFN'] as const).map((name) => [
    new URL(process.env[`AWS_ENDPOINT_URL_${name}`] ?? '').host,
    name.toLowerCase() as ObservedCall['service'],
  ]),
);
services.set(new URL(process.env.AWS_ENDPOINT_URL_EVENTBRIDGE ?? '').host, 'events');
services.set(new URL(process.env.AWS_ENDPOINT_URL_STS ?? '').host, 'sts');
services.set(process.env.AWS_LAMBDA_RUNTIME_API ?? '', 'lambda');

subscribe('http.client.request.created', (message) => {
  const { request } = message as { request: ClientRequest };
  const service = services.get(String(request.getHeader('host')));
  if (service === undefined) return;
  const end = request.end.bind(request) as (...sent: unknown[]) => ClientRequest;
  request.end = (...sent: unknown[]) => {
    const operation = operationOf(service, request);
    if (operation !== undefined) writeCall({ service, operation, ...inputOf(service, sent[0]) });
    return end(...sent);
  };
});

/** Undefined for the request for the next invocation. */
function operationOf(service: ObservedCall['service'], request: ClientRequest): string | undefined {
  if (service === 'lambda') return /\/(response|error)$/.test(request.path) ? 'Invoke' : undefined;
  // The query protocol names the operation in the body.
  if (service === 'sts') return 'AssumeRole';
  if (service === 's3') return new URL(request.path, 'http://s3').searchParams.get('x-id') ?? request.method;
  return String(request.getHeader('x-amz-target')).split('.').at(-1) ?? '';
}

function inputOf(service: ObservedCall['service'], sent: unknown): Pick<ObservedCall, 'input'> {
  const isJson = service === 'dynamodb' && (typeof sent === 'string' || sent instanceof Uint8Array);
  return isJson ? { input: JSON.parse(Buffer.from(sent as Uint8Array).toString()) } : {};
}
