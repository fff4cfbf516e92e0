import { createHash } from 'node:crypto';
import { InvocationError } from './invocation-error.ts';

/** Invocations of one function in a chain of requests: Lambda stops the next (AWS Lambda Developer Guide, "Recursive loop detection"). */
const maxInvocations = 16;

/** The function that is invoked, and whether its chains may be longer. */
export type RecursionRule = { functionName: string; allowsRecursion: boolean };

/**
 * The trace header of an invocation. Its lineage counts for each function how often the chain of requests has invoked it: an
 * AWS SDK sends the header with each request of the function, and SQS stores it with the message.
 *
 * @param before the header of the event; undefined if no function has sent it
 * @throws InvocationError `RecursiveInvocationException`
 */
export function nextTraceHeader(
  before: string | undefined,
  requestId: string,
  { functionName, allowsRecursion }: RecursionRule,
): string {
  const lineage = parseLineage(before);
  const name = createHash('sha256').update(functionName).digest('hex').slice(0, 8);
  const invocations = (lineage.get(name) ?? 0) + 1;
  if (invocations > maxInvocations && !allowsRecursion) {
    throw new InvocationError(
      'RecursiveInvocationException',
      `${functionName} was invoked ${maxInvocations} times by one chain of requests.`,
    );
  }
  lineage.set(name, invocations);
  const counts = [...lineage].map(([each, count]) => `${each}:${count}`).join('|');
  return `Root=${rootOf(before) ?? `1-${requestId.replaceAll('-', '')}`};Sampled=0;Lineage=${counts}`;
}

function rootOf(header = ''): string | undefined {
  return /(?:^|;)Root=([^;]+)/.exec(header)?.[1];
}

function parseLineage(header = ''): Map<string, number> {
  const [, text = ''] = /(?:^|;)Lineage=([^;]+)/.exec(header) ?? [];
  const counts = text.split('|').map((each) => each.split(':'));
  return new Map(counts.flatMap(([name = '', count]) => (name === '' ? [] : [[name, Number(count)] as const])));
}
