import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Contract } from '../../../core/api/contract.ts';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/** Writes an answer from its schema, which leaves out whatever the contract does not name. */
export function serializeResponse(
  contract: Contract,
  { status, body, headers }: Answer,
): APIGatewayProxyStructuredResultV2 {
  const { schema, text } = contract.responses[status] ?? {};
  const own = { 'cache-control': 'no-store', ...headers };
  if (text !== undefined) return { statusCode: status, headers: own, body: String(body) };
  if (schema === undefined) return { statusCode: status, headers: own };
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...own },
    body: JSON.stringify(schema.parse(body)),
  };
}
