import type { OwnerPreset, PresetRef, PresetTable } from '../../../core/presets/preset.ts';

/** The presets of owners in memory. */
export function memoryPresetTable(): PresetTable {
  const stored = new Map<string, OwnerPreset[]>();
  const of = (ownerId: string) => stored.get(ownerId) ?? [];
  const isRef = (ref: PresetRef) => (preset: PresetRef) => preset.name === ref.name && preset.version === ref.version;
  return {
    list: async (ownerId) => of(ownerId),
    versions: async (ownerId, name) => of(ownerId).filter((preset) => preset.name === name),
    create: async (ownerId, preset) => {
      const before = of(ownerId);
      const existing = before.find(isRef(preset));
      if (existing === undefined) stored.set(ownerId, [...before, preset]);
      return existing === undefined || existing.id === preset.id;
    },
    change: async (ownerId, ref, { draft, retired }) => {
      const preset = of(ownerId).find(isRef(ref));
      if (preset === undefined) return undefined;
      return Object.assign(preset, { draft: draft ?? preset.draft, retired: retired ?? preset.retired });
    },
  };
}
