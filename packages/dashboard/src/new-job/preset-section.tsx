import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionProps } from './field-props.ts';

/** The choice of a preset in place of recipes, with its parameters; nothing where there are no presets. */
export function PresetSection({ draft: { preset: chosen, sources }, problems, onChange }: SectionProps) {
  const presets = usePresets();
  if (presets.length === 0) return null;
  const found = presets.find(({ label }) => label === chosen?.preset);
  const choose = (label: string) =>
    onChange({
      preset: label === '' ? undefined : { preset: label, parameters: {} },
      sources: label === '' ? sources : sources.slice(0, 1),
    });
  const set = (path: string, text: string) => {
    const { [path]: _, ...others } = chosen?.parameters ?? {};
    if (found)
      onChange({ preset: { preset: found.label, parameters: { ...others, ...(text && { [path]: parse(text) }) } } });
  };
  return (
    <Section title="Preset">
      <Stack gap="md">
        <NativeSelect
          label="Preset"
          value={chosen?.preset ?? ''}
          data={[
            { value: '', label: 'None: choose recipes' },
            ...presets.map(({ label, title, draft }) => ({
              value: label,
              label: `${title} (${label}${draft ? ', draft' : ''})`,
            })),
          ]}
          error={problems.preset}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        {found?.description ? (
          <Text size="sm" c="dimmed">
            {found.description}
          </Text>
        ) : null}
        {found?.allow.map((path) => (
          <TextInput
            key={path}
            label={path}
            placeholder={valueAt(found.request, path)}
            value={textOf(chosen?.parameters[path])}
            error={problems[`parameters.${path}`]}
            onChange={({ currentTarget }) => set(path, currentTarget.value)}
          />
        ))}
      </Stack>
    </Section>
  );
}

/** The versions that are for use, by name, the newest of each first. */
function usePresets() {
  const { client } = useApi();
  const { data = [] } = useQuery({
    queryKey: ['presets'],
    queryFn: async ({ signal }) => (await client.listPresets({ query: { all: 'true' }, signal })).presets,
    staleTime: 60_000,
    retry: false,
  });
  return data.filter(({ retired }) => !retired).map((each) => ({ ...each, label: `${each.name}@${each.version}` }));
}

/** A value as JSON, else as text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What the preset has at a path, as a placeholder. */
function valueAt(request: Record<string, unknown>, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>((holder, name) => (holder as Record<string, unknown> | undefined)?.[name], request);
  return textOf(value);
}
