import * as z from 'zod';
import { region } from '../aws-names.ts';
import type { InvocationResult } from '../lambda/runtime-api.ts';

export type SqsMessage = {
  MessageId: string;
  ReceiptHandle: string;
  Body: string;
  MD5OfBody: string;
  Attributes?: Record<string, string>;
  MessageAttributes?: Record<string, unknown>;
};

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

// `StringValue` in SQS is `stringValue` in the event.
function lowerFirst(attributes: Record<string, unknown>): Record<string, unknown> {
  const renameKeys = (value: unknown) =>
    Object.fromEntries(Object.entries(value ?? {}).map(([key, item]) => [key[0]?.toLowerCase() + key.slice(1), item]));
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, renameKeys(value)]));
}

const batchResponse = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() })
  .nullable();

/**
 * The messages to delete. As on AWS, an invalid batch response, or one that names an unknown message, fails the whole
 * batch.
 *
 * @param reportsItems whether the mapping has `ReportBatchItemFailures`
 */
export function handledMessages(messages: SqsMessage[], result: InvocationResult, reportsItems: boolean): SqsMessage[] {
  if (!result.ok) return [];
  if (!reportsItems) return messages;
  const response = batchResponse.safeParse(JSON.parse(result.payload));
  if (!response.success) return [];
  const failed = new Set(response.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  const succeeded = messages.filter(({ MessageId }) => !failed.has(MessageId));
  return succeeded.length === messages.length - failed.size ? succeeded : [];
}
