import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

/** The billed size of a DynamoDB item in bytes: names, values, and three bytes for each collection. */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value), 0);
}

function bytesOf(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  // As sent: in Base64.
  if (value.B !== undefined) return Buffer.byteLength(String(value.B), 'base64');
  // A byte for two digits, and one for the number.
  if (value.N !== undefined) return Math.ceil(value.N.replace(/[-.]/g, '').length / 2) + 1;
  if (value.L !== undefined) return value.L.reduce((sum, one) => sum + 1 + bytesOf(one), 3);
  if (value.M !== undefined) return 3 + Object.keys(value.M).length + itemBytes(value.M);
  if (value.SS !== undefined) return value.SS.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  return 1;
}
