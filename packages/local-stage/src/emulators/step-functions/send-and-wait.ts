import * as z from 'zod';
import { AccessDeniedError, type QueueMessage } from '../../permissions/guard-invocations.ts';
import { parseParameters, type StateHandler, TaskError } from './state-handler.ts';
import type { TaskTokens } from './task-tokens.ts';

/** Stands for `$$.Task.Token` in the parameters of a state: each try of a task has its own token. */
export const tokenMarker = '$$.Task.Token';

const messageParameters = z.strictObject({
  QueueUrl: z.string(),
  MessageBody: z.unknown(),
  MessageGroupId: z.string().optional(),
  MessageDeduplicationId: z.string().optional(),
});

export type SendAndWaitDeps = {
  send: (message: QueueMessage) => Promise<void>;
  tokens: TaskTokens;
};

/** The handler of `sqs:sendMessage.waitForTaskToken`: sends a message and waits for the answer to its token. */
export function sendAndWait({ send, tokens }: SendAndWaitDeps): StateHandler {
  return async (input, { signal }) => {
    const { token, answered } = tokens.issue(signal);
    const { MessageBody, ...message } = parseParameters(messageParameters, withToken(input, token));
    const body = typeof MessageBody === 'string' ? MessageBody : JSON.stringify(MessageBody);
    await send({ ...message, MessageBody: body }).catch((error: Error) => {
      const name = error instanceof AccessDeniedError ? 'AmazonSQSException' : 'SdkClientException';
      throw new TaskError(`SQS.${name}`, error.message);
    });
    return await answered;
  };
}

function withToken(value: unknown, token: string): unknown {
  if (value === tokenMarker) return token;
  if (Array.isArray(value)) return value.map((item) => withToken(item, token));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withToken(item, token)]));
}

/** Replaces each path to the token in a payload template by the marker. */
export function withTokenMarker(template: unknown): unknown {
  if (Array.isArray(template)) return template.map(withTokenMarker);
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) =>
      value === tokenMarker && key.endsWith('.$') ? [key.slice(0, -2), tokenMarker] : [key, withTokenMarker(value)],
    ),
  );
}
