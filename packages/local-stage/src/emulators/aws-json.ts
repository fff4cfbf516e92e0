import { EmulatorError } from './emulator.ts';

type Call = { endpoint: string; target: string; body: object; signal?: AbortSignal };

/**
 * Calls an emulator with the AWS JSON protocol. The emulators check no signature, and loading an SDK client would take
 * longer than starting the emulators.
 *
 * @param target `DynamoDB_20120810.CreateTable`
 */
export async function callEmulator<T>({ endpoint, target, body, signal }: Call): Promise<T> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      'x-amz-date': '20260101T000000Z',
      authorization: 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=local',
    },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  const result = (await response.json()) as { __type?: string; message?: string };
  if (response.ok) return result as T;
  const code = result.__type?.split('#').at(-1) ?? String(response.status);
  throw new EmulatorError(code, `${target}: ${code}: ${result.message ?? ''}`);
}
