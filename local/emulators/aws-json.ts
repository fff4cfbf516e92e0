/** A call that an emulator refused: `code` is the AWS error code. */
export class EmulatorError extends Error {
  override readonly name = 'EmulatorError';
  readonly code: string;

  constructor(operation: string, code: string, message: string) {
    super(`${operation}: ${code}: ${message}`);
    this.code = code;
  }
}

type Call = { endpoint: string; target: string; body: object; signal?: AbortSignal };

/**
 * One call in the AWS JSON protocol, unsigned: the emulators check no signature, and an SDK client would cost the
 * stage's start more than the emulators do.
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
    ...(signal ? { signal } : {}),
  });
  const answer = (await response.json()) as { __type?: string; message?: string };
  if (response.ok) return answer as T;
  throw new EmulatorError(
    target,
    answer.__type?.split('#').at(-1) ?? String(response.status),
    answer.message ?? '',
  );
}
