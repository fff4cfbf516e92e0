import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';

/**
 * Invokes a function and returns what it answers.
 *
 * @throws Error if the function failed
 */
export async function invoke(client: LambdaClient, functionName: string, event: object): Promise<unknown> {
  const command = new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(JSON.stringify(event)) });
  const { Payload, FunctionError } = await client.send(command);
  const answer: unknown = JSON.parse(Payload?.transformToString() || 'null');
  if (FunctionError === undefined) return answer;
  throw new Error(`${functionName} failed: ${String((answer as { errorMessage?: unknown })?.errorMessage)}`);
}
