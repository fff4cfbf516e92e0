import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type OwnerPreset, type PresetRef, type PresetTable, presetSchema } from '../../core/presets/preset.ts';
import { fromItem, type Item, openTable, prefixQuery, toItem } from './table.ts';
import { presetSort, presetSortPrefix, presetsPartition } from './table-keys.ts';

const storedPresetSchema = presetSchema.extend({ id: z.string() });

/** The presets of owners on DynamoDB: one item for each version. */
export function presetTable(client: DynamoDBClient, tableName: string): PresetTable {
  const table = openTable(client, tableName);
  const keyOf = (ownerId: string, ref: PresetRef): Item =>
    toItem({ pk: presetsPartition(ownerId), sk: presetSort(ref) });
  const read = async (ownerId: string, prefix: string): Promise<OwnerPreset[]> => {
    const items = await table.query(prefixQuery(presetsPartition(ownerId), prefix));
    return items.map((item) => storedPresetSchema.parse(fromItem(item)));
  };
  return {
    list: (ownerId) => read(ownerId, ''),
    versions: (ownerId, name) => read(ownerId, presetSortPrefix(name)),
    create: (ownerId, preset) =>
      table.put(
        { ...toItem(preset), ...keyOf(ownerId, preset) },
        {
          // A repeated write whose response was lost finds its own id.
          ConditionExpression: 'attribute_not_exists(pk) OR id = :id',
          ExpressionAttributeValues: toItem({ ':id': preset.id }),
        },
      ),
    change: async (ownerId, ref, states) => {
      const changed = await table.set(keyOf(ownerId, ref), states, { ConditionExpression: 'attribute_exists(pk)' });
      return changed && storedPresetSchema.parse(fromItem(changed));
    },
  };
}
