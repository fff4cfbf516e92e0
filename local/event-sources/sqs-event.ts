import * as z from 'zod';
import { region } from '../aws-names.ts';
import type { InvocationResult } from '../lambda/runtime-api.ts';

/** A message as ReceiveMessage gives it. */
export type SqsMessage = {
  MessageId: string;
  ReceiptHandle: string;
  Body: string;
  MD5OfBody: string;
  Attributes?: Record<string, string>;
  MessageAttributes?: Record<string, unknown>;
};

/** The event that a function gets for a batch of messages. */
export function sqsEvent(messages: readonly SqsMessage[], eventSourceARN: string): object {
  return {
    Records: messages.map((message) => ({
      messageId: message.MessageId,
      receiptHandle: message.ReceiptHandle,
      body: message.Body,
      attributes: message.Attributes ?? {},
      messageAttributes: lowerFirst(message.MessageAttributes ?? {}),
      md5OfBody: message.MD5OfBody,
      eventSource: 'aws:sqs',
      eventSourceARN,
      awsRegion: region,
    })),
  };
}

// SQS says `StringValue`, the event `stringValue`.
function lowerFirst(attributes: Record<string, unknown>): Record<string, unknown> {
  const renamed = (value: unknown) =>
    Object.fromEntries(
      Object.entries(value ?? {}).map(([key, item]) => [key[0]?.toLowerCase() + key.slice(1), item]),
    );
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, renamed(value)]));
}

const report = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() })
  .nullable();

/**
 * The messages that were dealt with. An answer that cannot be read, or names a message that was not in the batch,
 * fails the whole batch, as on AWS.
 *
 * @param reportsItems whether the mapping has `ReportBatchItemFailures`
 */
export function handledMessages(
  messages: SqsMessage[],
  result: InvocationResult,
  reportsItems: boolean,
): SqsMessage[] {
  if (!result.ok) return [];
  if (!reportsItems) return messages;
  const answer = report.safeParse(JSON.parse(result.payload));
  if (!answer.success) return [];
  const failed = new Set(answer.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  const left = messages.filter(({ MessageId }) => !failed.has(MessageId));
  return left.length === messages.length - failed.size ? left : [];
}
