/** A message for SendMessage of SQS. */
export type QueueMessage = {
  QueueUrl: string;
  MessageBody: string;
  MessageGroupId?: string | undefined;
  MessageDeduplicationId?: string | undefined;
};
