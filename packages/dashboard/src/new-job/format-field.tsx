import { NativeSelect } from '@mantine/core';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { qualityNames } from './quality-field.tsx';

type Props = {
  recipe: RecipeDescription;
  format: string;
  error: string | undefined;
  onChange: (changes: { format: string }) => void;
};

/** The choice of a recipe's output format; nothing if it has only one. */
export function FormatField({ recipe: { outputFormats }, format, error, onChange }: Props) {
  if (outputFormats.length === 1) return null;
  return (
    <NativeSelect
      label="Format"
      mb="md"
      value={format}
      data={outputFormats}
      error={error}
      onChange={({ currentTarget }) => onChange({ format: currentTarget.value })}
    />
  );
}

/** The formats that hold a codec, the usual one first. */
const formatsByCodec: Readonly<Record<string, readonly string[]>> = {
  prores: ['mov'],
  vp9: ['webm', 'mkv'],
  av1: ['mp4', 'webm', 'mkv'],
  h265: ['mp4', 'mov', 'mkv'],
  h264: ['mp4', 'mov', 'mkv'],
};

/** Parameters with a format that holds their codec, the chosen one if it does. ProRes has no quality but its profile. */
export function withFittingFormat(parameters: Record<string, unknown>, format: string) {
  const { codec } = parameters;
  const names = Object.keys(parameters).filter((name) => codec !== 'prores' || !qualityNames.includes(name));
  const fitting = formatsByCodec[String(codec)] ?? [format];
  return {
    parameters: Object.fromEntries(names.map((name) => [name, parameters[name]])),
    format: fitting.includes(format) ? format : (fitting[0] ?? format),
  };
}
