import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

export type Item = Record<string, AttributeValue>;

/** Converts a plain object to an item. Omits undefined fields. */
export function toItem(fields: Record<string, unknown>): Item {
  // The library recognizes plain objects by `constructor`, which user data may contain as a field.
  return marshall(fields, { removeUndefinedValues: true, convertClassInstanceToMap: true });
}

/** Converts an item to a plain object, which the caller parses. A string set becomes a Set. */
export function fromItem(item: Item): Record<string, unknown> {
  return unmarshall(item);
}
