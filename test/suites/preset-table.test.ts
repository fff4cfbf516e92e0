import { describe, expect, it } from 'vitest';
import { presetTable } from '../../adapters/dynamodb/preset-table.ts';
import type { OwnerPreset } from '../../core/presets/preset.ts';
import { memoryPresetTable } from '../../lab/simulation/memory/preset-table.ts';
import { start } from '../builders/jobs/jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

const aPreset = (name: string, version: number, id = `${name}-${version}`): OwnerPreset => ({
  ...{ id, name, version, draft: true, retired: false, title: name, description: '', allow: ['recipe.crf'] },
  ...{ request: { mode: 'recipe', recipe: { name: 'compress', crf: 26.5 } }, source: 'owner' },
  createdAt: start.toISOString(),
});

describe.each(bothStores(presetTable, memoryPresetTable))('the preset table %s', (_, open) => {
  it('keeps each version once, for its owner alone', async () => {
    const [presets, ownerId] = [await open(), aNewOwner()];
    expect(await presets.create(ownerId, aPreset('web', 2))).toBe(true);
    expect(await presets.create(ownerId, aPreset('web', 2, 'another'))).toBe(false);
    expect(await presets.create(ownerId, aPreset('web', 2))).toBe(true);
    await presets.create(ownerId, aPreset('web-hd', 1));
    expect(await presets.versions(ownerId, 'web')).toEqual([aPreset('web', 2)]);
    expect(await presets.list(ownerId)).toHaveLength(2);
    expect(await presets.list(aNewOwner())).toEqual([]);
  });

  it('changes the states of a version and nothing else', async () => {
    const [presets, ownerId] = [await open(), aNewOwner()];
    await presets.create(ownerId, aPreset('web', 1));
    const changed = { ...aPreset('web', 1), draft: false };
    expect(await presets.change(ownerId, { name: 'web', version: 1 }, { draft: false })).toEqual(changed);
    expect(await presets.change(ownerId, { name: 'web', version: 2 }, { draft: false })).toBeUndefined();
    expect(await presets.list(ownerId)).toEqual([changed]);
  });
});
