import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

export type Item = Record<string, AttributeValue>;

/** A plain object as an item; fields that are undefined are left out. */
export function toItem(fields: Record<string, unknown>): Item {
  // An object may have a field of its own called `constructor`, by which the library tells plain objects from others.
  return marshall(fields, { removeUndefinedValues: true, convertClassInstanceToMap: true });
}

/** The plain values of an item as the client gives it. */
export function fromItem(item: Item): Record<string, unknown> {
  return unmarshall(item);
}
