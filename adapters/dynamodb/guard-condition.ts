import { type Guard, type GuardField, guardDemands } from '../../core/jobs/guard.ts';
import { type Condition, toItem } from './item.ts';

const paths: Record<GuardField, string> = {
  state: '#state',
  leaseId: '#leaseId',
  dueAt: '#dueAt',
  updatedAt: '#updatedAt',
  deliveryId: '#pendingDelivery.#id',
  progressVersion: '#progressVersion',
};

const attributeNames: Record<string, string> = {
  '#state': 'state',
  '#leaseId': 'leaseId',
  '#dueAt': 'dueAt',
  '#updatedAt': 'updatedAt',
  '#pendingDelivery': 'pendingDelivery',
  '#id': 'id',
  '#progressVersion': 'progressVersion',
};

/** Converts a guard to a condition expression of DynamoDB: one term per field, joined by AND. */
export function guardCondition(guard: Guard): Condition {
  if ('absent' in guard) return { ConditionExpression: 'attribute_not_exists(pk)' };
  const fields = guardDemands(guard);
  const terms = fields.map(([field, expected]) =>
    expected === null ? `attribute_not_exists(${paths[field]})` : `${paths[field]} = :${field}`,
  );
  const expression = terms.join(' AND ');
  const values = fields.filter(([, expected]) => expected !== null);
  return {
    ConditionExpression: expression,
    ExpressionAttributeNames: Object.fromEntries(
      Object.entries(attributeNames).filter(([name]) => expression.split(/[^#\w]/).includes(name)),
    ),
    ...(values.length === 0
      ? {}
      : { ExpressionAttributeValues: toItem(Object.fromEntries(values.map(([f, v]) => [`:${f}`, v]))) }),
  };
}
