import * as z from 'zod';
import { arn, partition } from '../aws-names.ts';
import type { AccessRequest } from './access-request.ts';

/** Partition keys by table name, and by `<table>/index/<index>`, for the condition key `dynamodb:LeadingKeys`. */
export type PartitionKeys = ReadonlyMap<string, string>;

/** Attributes by name, each as `{ S: 'text' }`. */
type Attributes = Readonly<Record<string, unknown>>;

/**
 * The fields of a request that decide which permissions it needs. They are not parsed with a schema: that took longer
 * than the rest of the check, and the emulator rejects an invalid request.
 */
type DynamoDbBody = {
  TableName?: string;
  IndexName?: string;
  Key?: Attributes;
  Item?: Attributes;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Readonly<Record<string, string>>;
  ExpressionAttributeValues?: Attributes;
  RequestItems?: Readonly<Record<string, unknown>>;
  TransactItems?: readonly Readonly<Record<string, DynamoDbBody>>[];
};

/** Operations that name items. Without their keys a policy on partitions would allow them all. */
const itemOperations = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem', 'Query'];

/**
 * The permissions that a DynamoDB request needs (Service Authorization Reference, "Amazon DynamoDB"): one action on each
 * table or index that it names. A transaction needs the permissions of its parts (Amazon DynamoDB Developer Guide, "IAM
 * for transactions").
 *
 * @throws Error if a request for items has no partition key
 */
export function dynamoDbAccess(operation: string, json: unknown, keys: PartitionKeys): AccessRequest[] {
  const body = json as DynamoDbBody;
  const action = `dynamodb:${operation}`;
  if (body.TransactItems !== undefined) {
    return body.TransactItems.flatMap((parts) =>
      Object.entries(parts).flatMap(([part, item]) => dynamoDbAccess(`${part}Item`, item, keys)),
    );
  }
  if (body.RequestItems !== undefined) {
    return Object.entries(body.RequestItems).map(([table, items]) => ({
      action,
      resourceArn: tableArn(table),
      context: leadingKeys(requireKeys(action, table, batchKeys(items, keys.get(table)), keys)),
    }));
  }
  const path = body.IndexName === undefined ? body.TableName : `${body.TableName}/index/${body.IndexName}`;
  const found = requestKeys(body, keys.get(path ?? ''));
  const values = itemOperations.includes(operation) ? requireKeys(action, path ?? '', found, keys) : found;
  return [{ action, resourceArn: tableArn(path ?? '*'), context: leadingKeys(values) }];
}

const tableArns = new Map<string, string>();

/** The same string each time, so that patterns and maps have its flat form and its hash. */
function tableArn(path: string): string {
  let known = tableArns.get(path);
  if (known === undefined) {
    known = arn('dynamodb', `table/${path}`);
    tableArns.set(path, known);
  }
  return known;
}

function requireKeys(action: string, path: string, values: string[], keys: PartitionKeys): string[] {
  const partitionKey = keys.get(path);
  if (values.length > 0 || partitionKey === undefined) return values;
  throw new Error(`${action} on ${path}: expected a value of the partition key ${partitionKey}`);
}

function leadingKeys(values: string[]): AccessRequest['context'] {
  return values.length === 0 ? {} : { 'dynamodb:LeadingKeys': values };
}

function requestKeys(body: DynamoDbBody, partitionKey: string | undefined): string[] {
  if (partitionKey === undefined) return [];
  const direct = attributeText((body.Key ?? body.Item)?.[partitionKey]);
  if (direct !== undefined) return [direct];
  // A query has to compare the partition key by `=` with one value.
  for (const [, name = '', value = ''] of (body.KeyConditionExpression ?? '').matchAll(/([#\w]+)\s*=\s*(:\w+)/g)) {
    if ((body.ExpressionAttributeNames?.[name] ?? name) !== partitionKey) continue;
    const text = attributeText(body.ExpressionAttributeValues?.[value]);
    return text === undefined ? [] : [text];
  }
  return [];
}

const attribute = z.record(z.string(), z.unknown());

const batchItems = z.union([
  z.object({ Keys: z.array(attribute) }).transform(({ Keys }) => Keys),
  z.array(
    z.union([
      z.object({ DeleteRequest: z.object({ Key: attribute }) }).transform((item) => item.DeleteRequest.Key),
      z.object({ PutRequest: z.object({ Item: attribute }) }).transform((item) => item.PutRequest.Item),
    ]),
  ),
]);

function batchKeys(items: unknown, partitionKey: string | undefined): string[] {
  if (partitionKey === undefined) return [];
  const parsed = batchItems.safeParse(items);
  if (!parsed.success) return [];
  return [...new Set(parsed.data.flatMap((item) => attributeText(item[partitionKey]) ?? []))];
}

/** The text of a string or number attribute: `{ S: 'OWNER#1' }`. */
function attributeText(value: unknown): string | undefined {
  const { S, N } = (value ?? {}) as { S?: unknown; N?: unknown };
  const text = S ?? N;
  return typeof text === 'string' ? text : undefined;
}

const sqsBody = z.object({ QueueUrl: z.string().optional(), QueueName: z.string().optional() });

/** The permission that an SQS request needs. For a batch it is that of the single operation (SQS Developer Guide). */
export function sqsAccess(operation: string, json: unknown): AccessRequest[] {
  const { QueueUrl, QueueName } = sqsBody.parse(json);
  const name = QueueUrl?.split('/').at(-1) ?? QueueName ?? '*';
  return [{ action: `sqs:${operation.replace(/Batch$/, '')}`, resourceArn: arn('sqs', name) }];
}

const eventsBody = z.object({ Entries: z.array(z.object({ EventBusName: z.string().default('default') })) });

/** The permissions that a PutEvents request needs, one for each bus that it names. */
export function eventsAccess(operation: string, json: unknown): AccessRequest[] {
  const names = eventsBody.parse(json).Entries.map(({ EventBusName }) => EventBusName);
  return [...new Set(names)].map((name) => ({
    action: `events:${operation}`,
    resourceArn: arn('events', `event-bus/${name}`),
  }));
}

const statesBody = z.object({ stateMachineArn: z.string().optional(), executionArn: z.string().optional() });

/** These name no resource: a policy has to allow them on `*` (Service Authorization Reference, "AWS Step Functions"). */
const taskActions = ['SendTaskSuccess', 'SendTaskFailure', 'SendTaskHeartbeat'];

/** The permission that a Step Functions request needs, on the state machine or the execution that it names. */
export function statesAccess(operation: string, json: unknown): AccessRequest[] {
  if (taskActions.includes(operation)) return [{ action: `states:${operation}`, resourceArn: '*' }];
  const { stateMachineArn, executionArn } = statesBody.parse(json);
  const anyMachine = `arn:${partition}:states:*:*:stateMachine:*`;
  return [{ action: `states:${operation}`, resourceArn: stateMachineArn ?? executionArn ?? anyMachine }];
}
